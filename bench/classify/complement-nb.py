"""scikit-learn's ComplementNB on given folds.

stdin: {"texts": [...], "labels": [...], "folds": [...]}; stdout: one JSON line per way of doing it.
`alpha` and `norm` are chosen inside each fold by a grid search; the rows with a fixed alpha show what
hindsight would choose.
"""

import json
import sys

import numpy
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.metrics import f1_score
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import ComplementNB
from sklearn.pipeline import make_pipeline

ALPHAS = [0.03, 0.1, 0.3, 1.0]
GRID = {"complementnb__alpha": ALPHAS, "complementnb__norm": [False, True]}

given = json.load(sys.stdin)
texts = numpy.array(given["texts"], dtype=object)
labels = numpy.array(given["labels"])
folds = numpy.array(given["folds"])


def judge(name, make):
    accuracies, f1s = [], []
    for fold in range(folds.max() + 1):
        learned, judged = folds != fold, folds == fold
        answers = make().fit(texts[learned], labels[learned]).predict(texts[judged])
        accuracies.append(float((answers == labels[judged]).mean()))
        f1s.append(float(f1_score(labels[judged], answers, average="macro")))
    print(json.dumps({"name": name, "accuracy": accuracies, "f1": f1s}), flush=True)


def searched(vectorizer):
    return lambda: GridSearchCV(make_pipeline(vectorizer(), ComplementNB()), GRID, cv=3)


def tf_idf():
    return TfidfVectorizer(sublinear_tf=True)


judge("TF-IDF, alpha and norm by grid search", searched(tf_idf))
judge("counts, alpha and norm by grid search", searched(CountVectorizer))
for alpha in ALPHAS:
    judge(f"TF-IDF, alpha {alpha}", lambda: make_pipeline(tf_idf(), ComplementNB(alpha=alpha)))
