"""Makes the models of guide/tour.md: a transformer of four layers, and variants of it."""
import sys

import jax
import jax.numpy as jnp
import numpy as np

LAYERS, WIDTH, HIDDEN, HEADS = 4, 16, 32, 2


def norm(x, gain, bias):
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) / jnp.sqrt(variance + 1e-5) * gain + bias


def attention(p, x):
    batch, time, width = x.shape
    split = lambda w: (x @ w).reshape(batch, time, HEADS, width // HEADS)
    q, k, v = split(p["q"]), split(p["k"]), split(p["v"])
    scores = jnp.einsum("bthd,bshd->bhts", q, k) / np.sqrt(width // HEADS)
    weights = jax.nn.softmax(scores, -1)
    return jnp.einsum("bhts,bshd->bthd", weights, v).reshape(x.shape) @ p["o"]


def layer(p, x, activation):
    x = x + attention(p, norm(x, p["g1"], p["b1"]))
    hidden = norm(x, p["g2"], p["b2"]) @ p["w1"]
    return x + activation(hidden) @ p["w2"]


def parameters(layers):
    shapes = dict(q=(WIDTH, WIDTH), k=(WIDTH, WIDTH), v=(WIDTH, WIDTH), o=(WIDTH, WIDTH),
                  g1=(WIDTH,), b1=(WIDTH,), g2=(WIDTH,), b2=(WIDTH,), w1=(WIDTH, HIDDEN), w2=(HIDDEN, WIDTH))
    keys = iter(jax.random.split(jax.random.PRNGKey(0), layers * len(shapes)))
    return [{name: jax.random.normal(next(keys), shape) for name, shape in shapes.items()} for _ in range(layers)]


def model(activations):
    def transformer(params, x):
        for p, activation in zip(params, activations):
            x = layer(p, x, activation)
        return x
    return transformer


def save(name, function, *arguments, **options):
    lowered = jax.jit(function, **options).lower(*arguments)
    with open(f"{sys.argv[1]}/{name}.mlirbc", "wb") as file:
        lowered.compiler_ir("stablehlo").operation.write_bytecode(file)


tokens = jnp.zeros((1, 4, WIDTH))
gelu, relu = jax.nn.gelu, jax.nn.relu
save("model", model([gelu] * 4), parameters(4), tokens)
save("relu", model([gelu, gelu, relu, gelu]), parameters(4), tokens)
save("deeper", model([gelu] * 5), parameters(5), tokens)
save("donated", model([gelu] * 4), parameters(4), tokens, donate_argnums=1)
trained = parameters(4)
save("baked", lambda x: model([gelu] * 4)(trained, x), tokens)
