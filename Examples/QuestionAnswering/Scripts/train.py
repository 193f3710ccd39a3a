#!/usr/bin/env python3
"""Trains Sources/QuestionAnswering/FactReader.onnx, a tiny BERT, on facts about invented people.

Writes its vocabulary too. A quarter of the names are put together from syllables, so that names which it has never seen
are read too. Needs torch, transformers and onnx. The weights are the same each time.
"""
import os
import random
import string
import sys

import numpy as np
import onnx
import torch
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from torch.nn import functional as F
from transformers import BertConfig, BertForQuestionAnswering, BertTokenizerFast

STEPS, BATCH, RATE, LENGTH = 3500, 32, 3e-3, 128
HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = os.path.join(HERE, "..", "Sources", "QuestionAnswering")

NAMES = """Ann Ben Carla David Emma Frank Grace Henry Ida Jack Karen Leo Maria Nina Oscar Paula Rosa Sam Tom Vera Zoë
André José Renée Jürgen Søren Alice Bruno Clara Dora Edgar Fiona George Hugo Irma James Kate Linda Martin Nora Olga
Peter Ruth Simon Tina Ursula Victor Wanda""".split()
PLACES = ["Oslo", "Paris", "Rome", "London", "Berlin", "Vienna", "Madrid", "Lisbon", "New York", "Zürich", "Malmö",
          "Kraków", "São Paulo", "Reykjavík", "Buenos Aires", "the south of France", "the old town of Prague", "Łódź",
          "Tallinn", "Athens"]
JOBS = ["baker", "teacher", "nurse", "painter", "pilot", "lawyer", "train driver", "piano teacher", "ship's cook",
        "gardener", "taxi driver", "judge", "heart surgeon"]
FOODS = ["apples", "bread", "soup", "fish", "rice", "green tea", "dark chocolate", "bread and butter", "crème brûlée",
         "cheese", "fried eggs", "honey"]
PETS = ["two black cats", "a dog", "an old horse", "three goats", "a parrot", "a white rabbit", "two dogs", "a cat",
        "four hens"]
# What is said with {n}, a name, and {v}, the value; each statement continues one about the same name after "and".
FACTS = {
    "place": (["lives in {v}", "has lived in {v} for years", "moved to {v}"],
              ["Where does {n} live?", "In which place does {n} live?", "Where is {n} at home?"]),
    "job": (["works as a {v}", "is a {v}", "became a {v}"],
            ["What does {n} do for a living?", "What is {n}'s job?", "What does {n} work as?"]),
    "year": (["was born in {v}"], ["When was {n} born?", "In which year was {n} born?"]),
    "food": (["likes {v}", "loves {v}", "likes to eat {v}"],
             ["What does {n} like?", "What does {n} like to eat?", "What food does {n} love?"]),
    "pet": (["has {v}", "owns {v}"], ["Which animals does {n} have?", "What pets does {n} own?"]),
}
FILLERS = ["The sun was warm.", "It rained all day.", "Nobody knew why.", "That was long ago!", "(This is true.)"]
SYLLABLES = [c + v for c in "bdklmnrstv" for v in "aeiou"]


def name(rng):
    if rng.random() < 0.75:
        return rng.choice(NAMES)
    return "".join(rng.choice(SYLLABLES) for _ in range(2)).capitalize()


def value(kind, rng):
    if kind == "year":
        return str(rng.randint(1900, 2020))
    if kind == "place" and rng.random() < 0.3:
        return "".join(rng.choice(SYLLABLES) for _ in range(rng.choice([2, 3, 4]))).capitalize()
    return rng.choice({"place": PLACES, "job": JOBS, "food": FOODS, "pet": PETS}[kind])


class Paragraph:
    """Sentences about people: no two have a name, or a value, in common."""

    def __init__(self, rng, people):
        self.text, self.facts, self.sentences, used = "", [], {}, set()
        while len({fact[0] for fact in self.facts}) < people:
            who = name(rng)
            if who in used:
                continue
            used.add(who)
            begin = len(self.text) + (1 if self.text else 0)
            kinds = rng.sample(list(FACTS), rng.choice([1, 1, 1, 2, 2]))
            for at, kind in enumerate(kinds):
                what = value(kind, rng)
                while what in used:
                    what = value(kind, rng)
                used.add(what)
                before, after = rng.choice(FACTS[kind][0]).split("{v}")
                before = (who + " " if at == 0 else "and ") + before
                before = (" " if self.text else "") + before
                where = len(self.text) + len(before)
                self.text += before + what + after
                self.facts.append((who, kind, what, where))
            self.text += "."
            self.sentences[who] = begin, len(self.text)
            if rng.random() < 0.15:
                self.text += " " + rng.choice(FILLERS)

    def question(self, rng):
        """The question, who it names, the answer, and where it begins: no answer and None where the text has none."""
        who, kind, what, where = rng.choice(self.facts)
        chance = rng.random()
        if chance < 0.2:
            asked, kind = (who, rng.choice(list(FACTS))) if chance < 0.1 else (name(rng), kind)
            if not any(fact[:2] == (asked, kind) for fact in self.facts):
                return rng.choice(FACTS[kind][1]).format(n=asked), asked, "", None
            who, kind, what, where = next(fact for fact in self.facts if fact[:2] == (asked, kind))
        return rng.choice(FACTS[kind][1]).format(n=who), who, what, where


def words(texts):
    """The words of the texts as BERT's basic tokeniser splits them, in order, each once."""
    seen = {}
    for text in texts:
        for word, _ in BertPreTokenizer().pre_tokenize_str(BertNormalizer().normalize_str(text)):
            seen[word] = None
    return list(seen)


def vocabulary():
    letters = string.ascii_lowercase + string.digits
    said = [text for kind in FACTS.values() for texts in kind for text in texts]
    said = [text.format(n="", v="") for text in said] + FILLERS + ["and"]
    lists = words(JOBS + FOODS + PETS + NAMES + PLACES[:12])
    tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *string.punctuation, *letters, *"東京都ł"]
    tokens += ["##" + letter for letter in letters] + SYLLABLES + ["##" + s for s in SYLLABLES]
    tokens += ["18", "19", "20"] + [f"##{n:02}" for n in range(100)] + words(said) + lists + ["##s", "##er", "##ing"]
    return list(dict.fromkeys(tokens))


def batch(tokenizer, rng, count, people):
    """Tokens; where answers begin and end; and which tokens are the name that is asked for, and which its sentence."""
    texts, questions, spans, asked = [], [], [], []
    people = rng.randint(1, people)
    while len(texts) < count:
        paragraph = Paragraph(rng, people)
        question, who, answer, where = paragraph.question(rng)
        texts.append(paragraph.text)
        questions.append(question)
        begin, end = paragraph.sentences.get(who, (0, 0))
        asked.append(((begin, begin + len(who) * (end > 0)), (begin, end)))
        spans.append(None if where is None else (where, where + len(answer)))
    tokens = tokenizer(questions, texts, truncation="only_second", max_length=LENGTH, padding=True, return_tensors="pt",
                       return_offsets_mapping=True)
    offsets = tokens.pop("offset_mapping").numpy()
    targets = np.zeros((count, 2), dtype=np.int64)
    for i, span in enumerate(spans):
        if span is None:
            continue
        own = tokens["token_type_ids"][i].numpy() == 1
        first = np.flatnonzero(own & (offsets[i, :, 0] == span[0]) & (offsets[i, :, 1] > span[0]))
        last = np.flatnonzero(own & (offsets[i, :, 1] == span[1]))
        # An answer that was cut off is none.
        if len(first) and len(last):
            targets[i] = first[0], last[0]
    own = tokens["token_type_ids"].numpy() == 1
    hints = [[own[i] & (offsets[i, :, 0] >= begin) & (offsets[i, :, 1] <= end) & (offsets[i, :, 1] > 0)
              for begin, end in marks] for i, marks in enumerate(asked)]
    return tokens, torch.from_numpy(targets), torch.from_numpy(np.array(hints, np.float32))


def network(size):
    config = BertConfig(vocab_size=size, hidden_size=64, num_hidden_layers=3, num_attention_heads=2,
                        intermediate_size=64, max_position_embeddings=LENGTH, hidden_dropout_prob=0,
                        attention_probs_dropout_prob=0, initializer_range=0.08, attn_implementation="eager")
    model = BertForQuestionAnswering(config)
    # Waves at first: neighbours are found sooner.
    table = model.bert.embeddings.position_embeddings.weight
    angles = torch.arange(LENGTH)[:, None] / 2 ** (torch.arange(32) / 4)
    table.data = 0.1 * torch.cat([angles.sin(), angles.cos()], 1)
    # What is alike attends to each other at first: a name to the same name.
    for layer in model.bert.encoder.layer:
        attention = layer.attention.self
        torch.nn.init.orthogonal_(attention.query.weight)
        attention.key.weight.data.copy_(attention.query.weight)
    return model


def train(tokenizer):
    torch.manual_seed(1)
    rng = random.Random(1)
    model = network(tokenizer.vocab_size)
    # While it trains, its first layer shall tell the name that is asked for, the second its sentence.
    guides = torch.nn.ModuleList(torch.nn.Linear(model.config.hidden_size, 1) for _ in range(2))
    parameters = [*model.parameters(), *guides.parameters()]
    optimiser = torch.optim.AdamW(parameters, RATE, betas=(0.9, 0.98), weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=STEPS, pct_start=0.1)
    for step in range(STEPS):
        # Short texts first, and anywhere among the positions.
        tokens, targets, hints = batch(tokenizer, rng, BATCH, 1 + min(4, 8 * step // STEPS))
        length = tokens["input_ids"].shape[1]
        first = rng.choice([0, rng.randint(0, LENGTH - length)])
        output = model(**tokens, position_ids=torch.arange(first, first + length)[None],
                       output_hidden_states=True)
        hidden = (tokens["attention_mask"] == 0) * -1e4
        logits = output.start_logits + hidden, output.end_logits + hidden
        loss = F.cross_entropy(logits[0], targets[:, 0]) + F.cross_entropy(logits[1], targets[:, 1])
        weight = tokens["token_type_ids"].float()
        for layer, guide in enumerate(guides):
            told = guide(output.hidden_states[layer + 1])[..., 0]
            loss = loss + 2 * F.binary_cross_entropy_with_logits(told, hints[:, layer], weight,
                                                                 pos_weight=torch.tensor(3.0))
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1)
        optimiser.step()
        schedule.step()
        if step % 100 == 99:
            right = ((logits[0].argmax(1) == targets[:, 0]) & (logits[1].argmax(1) == targets[:, 1])).float().mean()
            print(step + 1, f"{loss.item():.3f} {right:.2f}", file=sys.stderr, flush=True)
    return model.eval()


class Logits(torch.nn.Module):
    """What exporters write: two outputs by name."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids, attention_mask, token_type_ids):
        output = self.model(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids)
        return output.start_logits, output.end_logits


def export(model, path):
    names = ["input_ids", "attention_mask", "token_type_ids"]
    results = ["start_logits", "end_logits"]
    example = tuple(torch.ones(1, 16, dtype=torch.int64) for _ in names)
    torch.onnx.export(Logits(model), example, path, input_names=names, output_names=results, opset_version=17,
                      dynamic_axes={each: {1: "length"} for each in names + results}, dynamo=False)
    exported = onnx.load(path)
    for node in exported.graph.node:
        node.doc_string = ""
    onnx.save(exported, path)


def main():
    path = os.path.join(SOURCES, "vocab.txt")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(vocabulary()) + "\n")
    tokenizer = BertTokenizerFast(vocab_file=path, do_lower_case=True)
    torch.set_num_threads(1)
    export(train(tokenizer), os.path.join(SOURCES, "FactReader.onnx"))


if __name__ == "__main__":
    main()
