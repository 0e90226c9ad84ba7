#!/usr/bin/env python3
"""Finds comment lines of more than 100 columns, in Rust, shell, Python and TOML.

  scripts/comments.py             in all files that git has
  scripts/comments.py FILE...     in these files

Exempt are rows of tables (`|`), code in documentation, and lines of one word, such as an address.
"""
import ast, os, re, subprocess, sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MOST = 100


def comments(path, text):
    """The numbers and lines of comments, without code blocks in documentation."""
    lines = text.splitlines()
    if path.endswith('.rs'):
        fenced = False
        for number, line in enumerate(lines, 1):
            comment = re.match(r'\s*//[/!]?(.*)', line)
            if not comment:
                fenced = False
                continue
            if comment[1].lstrip().startswith('```'):
                fenced = not fenced
            elif not fenced:
                yield number, line, comment[1]
        return
    docstrings = set()
    if path.endswith('.py'):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                docstrings.update(range(node.lineno, node.end_lineno + 1))
    for number, line in enumerate(lines, 1):
        comment = re.match(r'\s*#(.*)', line)
        if comment or number in docstrings:
            yield number, line, comment[1] if comment else line


def too_long(path):
    with open(os.path.join(ROOT, path), encoding='utf-8') as file:
        text = file.read()
    for number, line, comment in comments(path, text):
        words = comment.split()
        if len(line) > MOST and len(words) > 1 and words[0] != '|':
            yield f'{path}:{number}: a comment of {len(line)} columns'


def main():
    git = subprocess.run(['git', 'ls-files'], cwd=ROOT, check=True, capture_output=True, text=True)
    known = {path for path in git.stdout.splitlines() if re.search(r'\.(rs|py|sh|toml)$|^\.ci/run$', path)}
    paths = sys.argv[1:] or sorted(known)
    wrong = [line for path in paths for line in too_long(path)]
    print('\n'.join(wrong) if wrong else f'{len(paths)} files')
    sys.exit(bool(wrong))


main()
