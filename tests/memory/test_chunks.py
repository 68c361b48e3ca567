"""The store of pieces: kept once, checked, collected."""

import os
from pathlib import Path

import pytest

from hippograph.memory.backup.chunks import Chunks, Damaged


def pages(seed: int, n: int = 100) -> list[bytes]:
    return [f"{seed} {number} ".encode() * 300 for number in range(n)]


def stored(folder: Path, pieces: list[bytes]) -> list[bytes]:
    with Chunks(folder).adding() as adding:
        return [adding.put(piece) for piece in pieces]


def test_pieces_come_back_in_another_process_and_are_kept_once(tmp_path: Path) -> None:
    digests = stored(tmp_path, pages(1))
    size = Chunks(tmp_path).size()
    assert stored(tmp_path, pages(1)) == digests
    assert Chunks(tmp_path).size() == size < sum(map(len, pages(1))) / 10
    again = Chunks(tmp_path)
    assert [again.get(digest) for digest in digests] == pages(1)
    assert [oct(pack.stat().st_mode)[-3:] for pack in again.packs()] == ["600"]


def test_a_pack_that_failed_leaves_nothing(tmp_path: Path) -> None:
    chunks = Chunks(tmp_path)
    adding = chunks.adding()
    digests = [adding.put(piece) for piece in pages(1, 1000)]
    assert len([*tmp_path.iterdir()]) == 1
    adding.__exit__(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert [*tmp_path.iterdir()] == []
    assert digests[0] not in chunks


def test_a_changed_byte_is_found_and_the_piece_is_stored_anew_when_it_comes_again(tmp_path: Path) -> None:
    digests = stored(tmp_path, pages(1))
    (pack,) = Chunks(tmp_path).packs()
    held = bytearray(pack.read_bytes())
    held[20] ^= 1
    pack.write_bytes(held)
    chunks = Chunks(tmp_path)
    with pytest.raises(Damaged, match="damaged"):
        chunks.get(digests[0])
    assert digests[0] in chunks.verify()
    with pytest.raises(Damaged, match="missing"):
        Chunks(tmp_path).get(digests[0])
    assert stored(tmp_path, pages(1)) == digests
    assert [Chunks(tmp_path).get(digest) for digest in digests] == pages(1)
    assert not Chunks(tmp_path).verify()


def test_a_pack_cut_short_holds_nothing_and_harms_no_other(tmp_path: Path) -> None:
    first, second = stored(tmp_path, pages(1)), stored(tmp_path, pages(2))
    pack, _ = Chunks(tmp_path).packs()
    os.truncate(pack, pack.stat().st_size - 1)
    chunks = Chunks(tmp_path)
    assert first[0] not in chunks
    assert chunks.get(second[0]) == pages(2)[0]


def test_what_nobody_needs_goes_to_the_last_byte_or_where_it_is_worth_it(tmp_path: Path) -> None:
    secrets = [os.urandom(4096) for _ in range(100)]
    digests = stored(tmp_path, secrets)
    chunks = Chunks(tmp_path)
    assert chunks.collect({*digests[1:]}).bytes == 0
    assert chunks.collect({*digests[1:]}, wholly=True).pieces == 1
    assert not any(secrets[0][:100] in pack.read_bytes() for pack in chunks.packs())
    for opened in (chunks, Chunks(tmp_path)):
        assert [opened.get(digest) for digest in digests[1:]] == secrets[1:]
        assert digests[0] not in opened
    assert chunks.collect({*digests[50:]}).bytes > 40 * 4096
    assert [Chunks(tmp_path).get(digest) for digest in digests[50:]] == secrets[50:]
    chunks.collect(set())
    assert chunks.packs() == []


def test_a_pack_killed_before_its_predecessor_went_is_collected(tmp_path: Path) -> None:
    digests = stored(tmp_path, pages(1))
    with Chunks(tmp_path).adding(anew=True) as adding:
        for piece in pages(1):
            adding.put(piece)
    (tmp_path / "killed.part").write_bytes(b"half a pack")
    chunks = Chunks(tmp_path)
    assert len(chunks.packs()) == 2
    chunks.collect({*digests})
    assert len([*tmp_path.iterdir()]) == 1
    assert [Chunks(tmp_path).get(digest) for digest in digests] == pages(1)
