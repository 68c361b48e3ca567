"""The figures of the documentation, written from the kept reports: `python -m hippograph.bench.pages`.

Run it at the top of the checkout after a benchmark has renewed its report in docs/benchmarks; a test compares.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path

from hippograph.bench.report import Figure, Report

REPORTS = Path("docs/benchmarks")
PAGES = (Path("README.md"), Path("README.zh.md"), Path("docs/figures.md"), Path("docs/zh/figures.md"))
"""The front doors, which have the figures of `FRONT`, and the pages that have all."""
FRONT = {
    "locomo": ("R@10",),
    "longmemeval": ("R@5",),
    "madial": ("R@5",),
    "scale": ("recall_p50_ms_10000",),
    "crash": ("lost",),
    "writes": ("write_back_p50_ms", "write_back_p95_ms"),
    "smoke": ("added_ms_p50", "start_to_answer_s", "peak_rss_mb", "model_server_peak_rss_mb"),
    "answers": (
        "extract_contained",
        "none_contained",
        "rag_contained",
        "injected_tokens_p50",
        "extract_false_answers",
        "rag_false_answers",
    ),
}
"""What the front doors show: what is asked first, hits and misses."""

SMOKE = {
    "added_ms_p50": (
        "All that memory adds to a turn in a running process, median (goal 40 ms)",
        "进程运行中，记忆给一轮对话增加的全部时间，中位数（目标 40 ms）",
        "ms",
    ),
    "embed_query_ms_p50": ("of which embedding the question (goal 25 ms)", "其中：问题的向量（目标 25 ms）", "ms"),
    "write_back_ms_p50": ("of which storing the turn durably (goal 3 ms)", "其中：把这一轮写到硬盘（目标 3 ms）", "ms"),
    "models_ms_p50": ("The answer itself, by the 0.5B model", "回答本身（0.5B 模型）", "ms"),
    "start_to_model_s": (
        "`hippograph ask`: start until the model loads (goal 1.5 s)",
        "`hippograph ask`：启动到开始加载模型（目标 1.5 s）",
        "s",
    ),
    "start_to_answer_s": (
        "`hippograph ask`: start until a short answer stands",
        "`hippograph ask`：启动到得到一句简短的回答",
        "s",
    ),
    "found_share": ("Facts asked for that were among the memories", "被问到的事实出现在记忆里的比例", ""),
    "answered_share": ("Facts asked for that the answer names", "回答说出了这个事实的比例", ""),
    "injected_tokens_p50": ("Tokens injected, median", "注入的 token 数，中位数", ""),
    "peak_rss_mb": ("Peak memory: Hippograph", "内存峰值：Hippograph", "MiB"),
    "model_server_peak_rss_mb": ("Peak memory: the embedded model's server", "内存峰值：内置模型的服务进程", "MiB"),
}
INSTALL = {
    "demo_setup_s": ("`make demo` from nothing until it asks", "`make demo` 从零到开始提问", "s"),
    "test_setup_s": ("`make test` from nothing until it tests", "`make test` 从零到开始测试", "s"),
}
QUESTIONS = {
    "evidence_cited_share": (
        "LoCoMo conv-26, 419 turns: share of the evidence in the prompt",
        "LoCoMo conv-26（419 轮）：证据进入提示词的比例",
        "",
    ),
    "answer_f1": ("The 0.5B model's answers: F1 against the gold answer", "0.5B 模型的回答：与标准答案的 F1", ""),
}
RETRIEVAL: dict[str, dict[str, tuple[str, str, str]]] = {
    "locomo": {
        "R@10": (
            "LoCoMo, evidence turns in the top 10 (R@10; BM25 {bm25})",
            "LoCoMo：证据轮次进入前 10（R@10；BM25 {bm25}）",
            "",
        ),
        "hit@5": ("LoCoMo, any evidence turn in the top 5 (BM25 {bm25})", "LoCoMo：前 5 有证据轮次（BM25 {bm25}）", ""),
        "R@1": ("LoCoMo, R@1 (BM25 {bm25})", "LoCoMo：R@1（BM25 {bm25}）", ""),
    },
    "longmemeval": {
        "R@5": ("LongMemEval pool, R@5 (BM25 {bm25})", "LongMemEval 问题池：R@5（BM25 {bm25}）", ""),
        "newest_above_stale": (
            "LongMemEval, newer above older (BM25 {bm25}; 4 of the 37 questions ask for the older)",
            "LongMemEval：新的排在旧的前面（BM25 {bm25}；37 问中 4 问问的是旧的）",
            "",
        ),
    },
    "lifebench": {"hit@10": ("LifeBench (zh), hit@10", "LifeBench（中文）：hit@10", "")},
    "madial": {"R@5": ("MADial (zh), R@5 (BM25 {bm25})", "MADial（中文）：R@5（BM25 {bm25}）", "")},
    "trigger": {
        "recall": (
            "Turns that need memory and trigger it (half not tuned on)",
            "需要记忆且触发的轮次（未参与调节的一半）",
            "",
        ),
        "precision": ("Triggered turns that need memory, balanced 1:1", "触发的轮次中需要记忆的比例（1:1）", ""),
    },
    "scale": {
        "recall_p50_ms_10000": (
            "Recall without embedding, 10,000 turns, median (goal 8 ms)",
            "一万轮，不含向量的检索，中位数（目标 8 ms）",
            "ms",
        ),
        "recall_p50_ms_100000": (
            "Recall without embedding, 100,000 turns, median (goal 20 ms)",
            "十万轮，不含向量的检索，中位数（目标 20 ms）",
            "ms",
        ),
    },
}
LIFE: dict[str, dict[str, tuple[str, str, str]]] = {
    "crash": {
        "lost": ("Acknowledged turns lost by kill -9 at any point", "随时 kill -9，已确认的轮次丢失", ""),
        "doubled": ("… stored twice", "……存了两份", ""),
    },
    "writes": {
        "verbatim_per_s": ("Turns stored verbatim, in batches (goal 2,000)", "成批原样存入的轮次（目标 2,000）", "/ s"),
        "write_back_p50_ms": ("Storing one turn in its path, median", "一轮对话中存入一轮，中位数", "ms"),
        "write_back_p95_ms": ("… 95th percentile (goal 3 ms)", "……95 分位（目标 3 ms）", "ms"),
    },
    "extract": {
        "unsupported_rate": (
            "Facts read by rules that the turn does not bear out (own set, zh and en)",
            "规则读出、原话却不支持的事实（自编，中英文）",
            "",
        ),
        "recall": ("Labelled facts that rules find (own set)", "规则找到的标注事实（自编）", ""),
    },
    "pairs": {
        "precision": (
            "What one turn takes the place of: precision, sentences read by rules (goal 0.95)",
            "一句取代另一句：准确率，由规则读句子（目标 0.95）",
            "",
        ),
        "recall": ("… recall (goal 0.9)", "……召回率（目标 0.9）", ""),
        "facts_precision": ("… precision, given the facts", "……准确率，给定事实", ""),
        "facts_recall": ("… recall, given the facts", "……召回率，给定事实", ""),
    },
    "snapshots": {
        "saved_share": (
            "30 daily snapshots: room saved against full copies (goal 0.6)",
            "30 天每日快照：比完整副本省下的空间（目标 0.6）",
            "",
        ),
    },
}
ANSWERS: dict[str, tuple[str, str, str]] = {
    "extract_contained": (
        "LoCoMo, gold answer in the 0.5B model's answer, with our block",
        "LoCoMo：0.5B 模型的回答含标准答案，有记忆注入",
        "",
    ),
    "none_contained": ("… without memory", "……没有记忆", ""),
    "rag_contained": (
        "… with plain langchain-chroma in the prompt, as many tokens",
        "……用 langchain-chroma 原样检索，token 数相同",
        "",
    ),
    "uplift_points": ("… points over no memory (goal 27)", "……比没有记忆高出的百分点（目标 27）", ""),
    "over_rag_points": ("… points over plain retrieval (goal 5)", "……比原样检索高出的百分点（目标 5）", ""),
    "extract_false_answers": (
        "… false answers to questions without one, with our block",
        "……对没有答案的问题作答的比例，有记忆注入",
        "",
    ),
    "rag_false_answers": ("… with plain retrieval", "……原样检索", ""),
    "none_false_answers": ("… without memory", "……没有记忆", ""),
    "injected_tokens_p50": ("… tokens injected, median (goal 600)", "……注入的 token 数，中位数（目标 600）", ""),
    "unsupported_in_prompt": (
        "… sentences in a prompt that their sources do not say (goal 0)",
        "……提示词里没有依据的句子（目标 0）",
        "",
    ),
}
PAGE = {
    "load_p95_ms": (
        "The local page with 10,000 turns: its slowest section in Chromium, 95th percentile (goal 1,000 ms)",
        "本地网页，一万轮：最慢的栏目在 Chromium 中加载，95 分位（目标 1,000 ms）",
        "ms",
    ),
    "turn_p50_ms": (
        "… a turn until answer and pipeline are drawn, models left out, median (goal 500 ms)",
        "……一轮从发送到画出回答与过程，不含模型，中位数（目标 500 ms）",
        "ms",
    ),
}
SINGLE = {"smoke": SMOKE, "install": INSTALL, "questions": QUESTIONS, "answers": ANSWERS, "page": PAGE}
TABLES = {**RETRIEVAL, **LIFE, **SINGLE}

_MARKED = re.compile(r"(?<=<!-- figures -->\n).*?(?=<!-- /figures -->)", re.DOTALL)


def figures(reports: Mapping[str, Report], page: Path) -> str:
    """Return the figures of the kept reports that a page shows, with what they were measured on and by."""
    chinese, front = is_chinese(page), is_front(page)
    head = "| 数值 | | 命令 |" if chinese else "| figure | | command |"
    rows = [
        _row(
            labels[chinese].format(bm25=_floor(report, metric)),
            shown(report["metrics"][metric], labels[2]) + _interval(report["metrics"], metric),
            f"`bench {name}`, n = {_n(report, metric)}",
        )
        for name, table in TABLES.items()
        if (report := reports.get(name))
        for metric, labels in table.items()
        if metric in report["metrics"] and (not front or metric in FRONT.get(name, ()))
    ]
    return "\n".join([head, "|---|---|---|", *rows, "", _measured_on(reports, chinese=chinese), ""])


def is_chinese(page: Path) -> bool:
    """Tell whether a page is in Chinese."""
    return page.name.endswith(".zh.md") or page.parent.name == "zh"


def is_front(page: Path) -> bool:
    """Tell whether a page shows the figures of `FRONT` alone."""
    return page.name.startswith("README")


def shown(value: Figure, unit: str) -> str:
    """Return a figure with its unit; "-" where it could not be measured."""
    return "-" if value is None else f"{value if unit else round(value, 3):g} {unit}".strip()


def _interval(metrics: Mapping[str, Figure], metric: str) -> str:
    """Return the 95 % interval of a figure, where there is one."""
    low, high = metrics.get(f"{metric}_low"), metrics.get(f"{metric}_high")
    return "" if low is None or high is None else f" ({shown(low, '')} to {shown(high, '')})"


def _n(report: Report, metric: str) -> int:
    """Return how many questions a figure rests on."""
    arm, _, what = metric.partition("_")
    name = {"contained": f"{arm}_n", "false_answers": f"{arm}_unanswerable_n"}.get(what, f"{metric}_n")
    return int(report["metrics"].get(name) or report["n"])


def refreshed(text: str, reports: Mapping[str, Report], page: Path) -> str:
    """Return a page's text with the figures between its markers renewed."""
    return _MARKED.sub(lambda _: figures(reports, page), text)


def kept(folder: Path = REPORTS) -> dict[str, Report]:
    """Return the kept reports by name."""
    return {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json"))}


def _floor(report: Report, metric: str) -> str:
    """Return what BM25 reaches in a report, as text; "-" where it was not measured."""
    return shown(report.get("rows", {}).get("bm25", {}).get(metric), "")


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _measured_on(reports: Mapping[str, Report], *, chinese: bool) -> str:
    smoke = reports["smoke"]
    machine = smoke["machine"]
    models = f"{smoke['models']['small']}, {smoke['models']['embeddings']}"
    where = f"{machine['cpu']}, {machine['cores']} cores, {machine['memory_gb']} GB, Python {machine['python']}"
    loads = [reports[name]["machine"]["load"][0] for name in TABLES if name in reports]
    load = f"{min(loads):g}-{max(loads):g}"
    if chinese:
        return (
            f"模型（用到模型时）：{models}。机器：{where}，没有 GPU，测量时负载 {load}，各报告里有各自的数值。"
            "完整报告在 `docs/benchmarks/`。"
        )
    return (
        f"Models, where one is needed: {models}. Machine: {where}, no GPU, load {load} while measuring; each report "
        "tells its own. Full reports: `docs/benchmarks/`."
    )


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(refreshed(page.read_text("utf-8"), kept(), page), "utf-8")
