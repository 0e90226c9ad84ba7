#!/usr/bin/env python3
"""Finds comment lines of more than 100 columns, in Rust, shell, Python and TOML.

  scripts/comments.py             in all files that git has, but for those in scripts/comments.todo
  scripts/comments.py FILE...     in these files
  scripts/comments.py --shrink    removes the files that are done from scripts/comments.todo

Exempt are rows of tables (`|`), code in documentation, and lines of one word, such as an address.
A file in comments.todo that has no such line is an error, so that the list gets only shorter.
"""
import ast, os, re, subprocess, sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MOST = 100
TODO = os.path.join(ROOT, 'scripts/comments.todo')


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
    chosen = [argument for argument in sys.argv[1:] if argument != '--shrink']
    todo = set()
    if os.path.exists(TODO):
        with open(TODO) as file:
            todo = set(file.read().split())
    found = {path: list(too_long(path)) for path in chosen or sorted(known)}
    done = [path for path in sorted(todo) if not found.get(path)]
    if '--shrink' in sys.argv:
        with open(TODO, 'w') as file:
            file.writelines(path + '\n' for path in sorted(todo.difference(done)))
        return
    wrong = [line for path, lines in found.items() if path not in todo for line in lines]
    if not chosen:
        wrong += [f"{path} is done: 'scripts/comments.py --shrink' says so" for path in done]
    print('\n'.join(wrong) if wrong else f'{len(found)} files, {len(todo)} of them not looked at')
    sys.exit(bool(wrong))


main()
