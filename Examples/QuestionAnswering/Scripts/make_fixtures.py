#!/usr/bin/env python3
"""Writes what the tests read into Tests/QuestionAnsweringTests/Fixtures.

tokens.json has what HuggingFace's tokeniser makes of texts of many scripts, questions.json questions about facts that
train.py has not drawn, with their answers. pointer.onnx and pointer.mlpackage point to "Oslo" and to "New York",
wherever they stand: models with the names of Google's and Apple's exports. Needs what train.py needs, and coremltools.
"""
import json
import os
import random
import shutil

import coremltools as ct
import numpy as np
import onnx
import torch
from onnx import TensorProto, helper
from transformers import BertTokenizerFast

import train

FIXTURES = os.path.join(train.HERE, "..", "Tests", "QuestionAnsweringTests", "Fixtures")
VOCABULARY = os.path.join(train.SOURCES, "vocab.txt")
TEXTS = [
    "Ann lives in Oslo.", "", "   ", "Where does ANN live?", "two  black\tcats\r\nand\na dog ", "it's (a) \"test\"...",
    "$5+5=10^1~`|", "crème brûlée, Zoë; Kraków!", "cafe\u0301 cre\u0300me", "Łódź Søren İstanbul Straße ΟΔΥΣΣΕΥΣ",
    "東京都に住む", "live東京in都", "日本語 한국어 ไทย हिन्दी العربية", "a\u0000b\ufffdc\u200bd\u00ade",
    "a\u00a0b\u3000c\u2028d\u0085e\u000bf", "“quotes” – dashes — ¿qué? «so»",
    "born in 1984, 2020 and 31415926535", "q" * 100 + " " + "q" * 101, "Talomi Bisove xyzzy",
    "😀 ann😀 👩‍👩‍👧", "\ufb01sh ½ ①", "豈\u0344x\u037e",
    "x\ue000y", "x\u0378y", "NEW YORK's ship's-cook", "\u1e9b\u0323 ǅ ŉ", "##ing ##s [ MASK ] #", "ᾳ ΐ ﷺ",
]


def tokens():
    rows = []
    for cased in (False, True):
        tokenizer = BertTokenizerFast(vocab_file=VOCABULARY, do_lower_case=not cased)
        for text in TEXTS:
            made = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
            ranges = [list(offset) for offset in made["offset_mapping"]]
            rows.append({"text": text, "cased": cased, "ids": made["input_ids"], "ranges": ranges})
    return rows


def questions():
    rng, rows = random.Random(2), []
    while len(rows) < 60:
        paragraph = train.Paragraph(rng, 1 + len(rows) % 4)
        question, _, answer, _ = paragraph.question(rng)
        rows.append({"paragraph": paragraph.text, "question": question, "answer": answer})
    return rows


def pointers():
    """How well each token of the vocabulary begins and ends an answer."""
    with open(VOCABULARY, encoding="utf-8") as file:
        vocabulary = file.read().split("\n")
    tables = np.full((2, len(vocabulary)), -5, np.float32)
    for table, words in zip(tables, [("oslo", "new"), ("oslo", "york")]):
        for word in words:
            table[vocabulary.index(word)] = 6
        table[vocabulary.index("[CLS]")] = 1
    return tables


def google(tables, length):
    ids, mask, kinds = names = ["input_ids:0", "input_mask:0", "segment_ids:0"]
    nodes = [
        helper.make_node("Sub", [mask, kinds], ["hidden"]),
        helper.make_node("Cast", ["hidden"], ["hides"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["hides", "four"], ["less"]),
    ]
    values = [helper.make_tensor("four", TensorProto.FLOAT, [], [4.0])]
    for index, table in enumerate(tables):
        values.append(helper.make_tensor(f"table{index}", TensorProto.FLOAT, table.shape, table))
        nodes.append(helper.make_node("Gather", [f"table{index}", ids], [f"points{index}"]))
        nodes.append(helper.make_node("Sub", [f"points{index}", "less"], [f"unstack:{index}"]))
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, [1, length]) for name in names]
    outputs = [helper.make_tensor_value_info(f"unstack:{index}", TensorProto.FLOAT, [1, length]) for index in range(2)]
    graph = helper.make_graph(nodes, "pointer", inputs, outputs, values)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.checker.check_model(model)
    onnx.save(model, os.path.join(FIXTURES, "pointer.onnx"))


class Pointer(torch.nn.Module):
    def __init__(self, tables):
        super().__init__()
        self.tables = torch.from_numpy(tables)

    def forward(self, ids, kinds):
        asked = 4.0 * (1 - kinds)
        return self.tables[0][ids.long()] - asked, self.tables[1][ids.long()] - asked


def apple(tables):
    length = ct.RangeDim(8, 40, default=16)
    traced = torch.jit.trace(Pointer(tables), 2 * (torch.zeros(1, 16, dtype=torch.int32),))
    model = ct.convert(
        traced, inputs=[ct.TensorType(name, (1, length), np.int32) for name in ("wordIDs", "wordTypes")],
        outputs=[ct.TensorType(name) for name in ("startLogits", "endLogits")], convert_to="mlprogram",
        minimum_deployment_target=ct.target.iOS16, compute_precision=ct.precision.FLOAT32)
    path = os.path.join(FIXTURES, "pointer.mlpackage")
    shutil.rmtree(path, ignore_errors=True)
    model.save(path)


def main():
    os.makedirs(FIXTURES, exist_ok=True)
    for name, rows in [("tokens", tokens()), ("questions", questions())]:
        with open(os.path.join(FIXTURES, f"{name}.json"), "w", encoding="utf-8") as file:
            file.write("[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]\n")
    google(pointers(), 24)
    apple(pointers())


if __name__ == "__main__":
    main()
