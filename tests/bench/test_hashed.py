"""The embedding model of the scale benchmark."""

import subprocess
import sys

import numpy as np
import pytest

from hippograph.bench.hashed import DIMENSION, HashedEmbeddings, hashed, vectors


def test_texts_that_share_words_are_near_and_others_are_not() -> None:
    for one, like, other in (
        ("Ada lives in Porto", "Where does Ada live?", "The coffee machine is broken."),
        ("王芳会弹奏马头琴。", "王芳会弹奏什么乐器？", "构建终于通过了。"),
    ):
        first, near, far = vectors([one, like, other])
        assert first @ near > 0.4
        assert abs(first @ far) < 0.25


def test_vectors_have_length_one_whatever_the_text() -> None:
    made = vectors(["a cat", "", "猫", "!?", "word " * 500])
    assert made.shape == (5, DIMENSION)
    assert np.linalg.norm(made, axis=1) == pytest.approx(1, abs=1e-5)
    assert vectors([]).shape == (0, DIMENSION)


def test_a_text_has_the_same_vector_in_any_company_and_process() -> None:
    embeddings = HashedEmbeddings()
    alone = embeddings.embed_query("Ada plays the oboe.")
    assert embeddings.embed_documents(["猫", "Ada plays the oboe.", "b"])[1] == pytest.approx(alone, abs=1e-6)
    code = "from hippograph.bench.hashed import vectors; print(vectors(['Ada plays the oboe.'])[0, :5].tolist())"
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert other.strip() == str(vectors(["Ada plays the oboe."])[0, :5].tolist())


def test_the_embedder_says_what_it_is() -> None:
    assert (hashed().spec, hashed().dimension) == ("hashed", len(HashedEmbeddings().embed_query("x")))
