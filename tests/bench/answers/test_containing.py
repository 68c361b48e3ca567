"""Whether an answer holds the gold one: words by their stems, numbers and dates by value, Chinese and English."""

import pytest

from hippograph.bench.answers.containing import contains

HELD = [
    ("It was on 2023-05-07.", "7 May 2023"),
    ("May 7th, 2023, I think", "7 May 2023"),
    ("那是2023年5月7日。", "7 May 2023"),
    ("2025-03-18", "2025年3月18日。"),
    ("On 2023-08-11.", "The Friday before 14 August 2023"),
    ("The friday before August 14, 2023", "The Friday before 14 August 2023"),
    ("It was last week (2023-05-29 - 2023-06-04).", "The week before 9 June 2023"),
    ("2023-06-07", "The week before 9 June 2023"),
    ("on 9 April 2022", "The week before 15April, 2022."),
    ("on 2023-07-15", "July 2023"),
    ("In July of 2023", "July, 2023"),
    ("the summer of 2022", "summer 2022"),
    ("It was in 2022.", "2022"),
    ("2022-05-07", "2022"),
    ("He has three turtles.", "3"),
    ("3 turtles", "Three"),
    ("It took 21 days.", "3 weeks"),
    ("ten years", "10 years ago"),
    ("a four-year friendship", "4 years"),
    ("$1300 in total", "$1,300"),
    ("About 1,300 dollars", "$1300"),
    ("31 days", "30 days. 31 days (including the last day) is also acceptable."),
    ("8:00 am to 4 pm", "8 am - 4 pm"),
    ("She said Self-Care is really important", "self care is important"),
    ("Seattle, Paris, and New York; also Chicago", "Seattle, Chicago, New York, and Paris."),
    ("His friends like painting pottery", "painted potteries"),
    ("Melanie’s necklace", "a necklace"),
    ("Yes, she does.", "Yes; she collects them"),
    ("Probably not.", "Likely no"),
    ("No, he would not, yes?", "No"),
    ("Caroline would not pursue it", "Likely no; since she got support"),
    ("'sexual fixations' and 'impulsivity'", "'sexual fixations', 'impulsivity'"),
    ("不会，因为太远了。", "否"),
    ("他买了一个工具箱。", "工具箱"),
    ("他存入的是子女教育基金的专项储蓄账户", "存入了“子女教育基金”专项储蓄账户。"),
    ("一共推荐了四部电影", "4部"),
    ("十二场", "12场"),
    ("10月2日、10月10日、10月15日都有", "10月2日、10月10日、10月15日。"),
    ("是《低压配电系统》那篇", "《低压配电系统》"),
]
NOT_HELD = [
    ("7 May", "7 May 2023"),
    ("5 July 2023", "7 May 2023"),
    ("14 August 2023", "The Friday before 14 August 2023"),
    ("2023-06-20", "The week before 9 June 2023"),
    ("some time in June 2023", "July 2023"),
    ("In 2023", "2022"),
    ("It was 2022-03-03.", "3"),
    ("2 turtles [3]", "3"),
    ("20 days", "3 weeks"),
    ("29 days", "30 days. 31 days (including the last day) is also acceptable."),
    ("She visited Seattle and Paris.", "Seattle, Chicago, New York, and Paris."),
    ("a self care day", "self-care is important"),
    ("No.", "Yes"),
    ("Hairless cats, because they don't have fur", "Likely no"),
    ("Yes, not only that.", "Likely no"),
    ("It is likely.", "Likely no"),
    ("She is a patriotic person.", "Yes"),
    ("3月18日", "2025年3月18日。"),
    ("2025年3月19日", "2025年3月18日。"),
    ("他买了一把扳手。", "工具箱"),
    ("三部", "4部"),
    ("", "necklace"),
    ("anything", "?"),
]


@pytest.mark.parametrize(("answer", "gold"), HELD)
def test_an_answer_holds_the_gold_one_in_other_words(answer: str, gold: str) -> None:
    assert contains(answer, gold)


@pytest.mark.parametrize(("answer", "gold"), NOT_HELD)
def test_an_answer_that_lacks_a_telling_part_does_not_hold_the_gold_one(answer: str, gold: str) -> None:
    assert not contains(answer, gold)
