"""Inputs that several tests share."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT.parent / "shared" / "corpus"


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def corpus() -> Path:
    if not CORPUS.exists():
        pytest.skip("SKIPPED: the corpus is not there")
    return CORPUS


@pytest.fixture
def mlp(root: Path) -> Path:
    return root / "examples" / "mlp.mlir"
