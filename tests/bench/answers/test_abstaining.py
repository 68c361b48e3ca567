"""Whether an answer says that it does not know."""

import pytest

from hippograph.bench.answers.abstaining import abstains

SILENT = [
    "",
    "I don't know, you haven't told me yet.",
    "I don’t know.",
    "I'm sorry, but I don't have any information about that.",
    "The context does not mention it.",
    "It is not mentioned in the context.",
    "The context provides no information on that.",
    "There is no information about this in the notes.",
    "Nate never mentioned it.",
    "I'm not sure what she did.",
    "It cannot be determined from the context.",
    "I don't know, but you can tell me more.",
    "I don't know. However, if you give me more details, I can help you.",
    "I don't know. But the notes do not say it either.",
    "No information is given.",
    "Not enough information.",
    "我不知道，你还没有告诉我。",
    "上下文里没有提到。",
    "根据提供的信息，无法确定具体日期。",
    "我不清楚，如果您能提供更多信息，我可以帮您。",
]
SAYING = [
    "Caroline moved from Sweden. I don't know when.",
    "I don't know, but it may have been Oslo.",
    "The notes don't mention the hike. However, Melanie painted it in 2022.",
    "She did not go to Oslo.",
    "John doesn't have a dog.",
    "Melanie is not sure what she wants.",
    "Yes.",
    "他没有去北京。",
    "不知道，不过可能是工具箱里的东西。",
    "椰香糍粑。",
]


@pytest.mark.parametrize("answer", SILENT)
def test_an_answer_that_says_it_does_not_know_abstains(answer: str) -> None:
    assert abstains(answer)


@pytest.mark.parametrize("answer", SAYING)
def test_an_answer_that_says_something_all_the_same_does_not_abstain(answer: str) -> None:
    assert not abstains(answer)
