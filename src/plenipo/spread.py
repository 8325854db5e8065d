"""Work shared among processes, or among the machines of a Ray cluster; below the I/O line."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any, TypeVar

from plenipo import extras

__all__ = ["spread"]

R = TypeVar("R")


def spread(
    call: Callable[..., R], shares: Sequence[tuple[Any, ...]], *, workers: int = 1, ray: bool = False
) -> Iterator[R]:
    """Yield the result of `call` for each tuple of arguments, in their order, as soon as it is known.

    `call` is a function of a module, and what it takes and returns can be pickled. With `workers` above 1 so many
    processes share the work, with `ray` a Ray cluster: one that runs already, or one started and stopped here.
    """
    if ray:
        yield from _on_ray(call, shares)
    elif workers == 1:
        for share in shares:
            yield call(*share)
    else:
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
            waiting = [pool.submit(call, *share) for share in shares]
            try:
                for future in waiting:
                    yield future.result()
            finally:
                pool.shutdown(wait=True, cancel_futures=True)


def _on_ray(call: Callable[..., R], shares: Sequence[tuple[Any, ...]]) -> Iterator[R]:
    with extras.require("ray", "--ray"):
        import ray  # noqa: PLC0415  # an extra of its own
    own = not ray.is_initialized()
    if own:
        ray.init(log_to_driver=False, include_dashboard=False)
    try:
        remote = ray.remote(call)
        for waiting in [remote.remote(*share) for share in shares]:
            yield ray.get(waiting)
    finally:
        if own:
            ray.shutdown()
