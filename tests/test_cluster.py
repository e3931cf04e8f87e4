"""A Dask cluster: the same digest as on threads, and a worker that is killed loses nothing."""

import os
import signal
import threading
import time

import pytest

import forty5sim
from forty5sim.arena.store import RunFolder
from forty5sim.errors import RunError

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")

BOARDS, CHUNK = 6000, 30


@pytest.fixture(scope="module")
def cluster():
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None,
        host="127.0.0.1", silence_logs=60,
    ) as found:  # fmt: skip
        yield found


def play(folder, bots=("heuristic", "random"), **options):
    options = {"boards": BOARDS, "chunk": CHUNK, "results": folder, "workers": 2, **options}
    return forty5sim.tournament("spoil-five", list(bots), **options)


def pids(address):
    with distributed.Client(address) as client:
        return list(client.run(os.getpid).values())


def kill_one(cluster, folder, killed):
    """Kill a worker when some parts are there."""
    while len(list(folder.glob("*/parts/*.arrow"))) < 10:
        time.sleep(0.005)
    victim = pids(cluster.scheduler_address)[0]
    os.kill(victim, signal.SIGKILL)
    killed.append(victim)


def test_a_killed_worker_loses_nothing(tmp_path, cluster):
    whole = play(tmp_path / "threads")
    killed = []
    killer = threading.Thread(target=kill_one, args=(cluster, tmp_path / "cluster", killed))
    killer.start()
    result = play(tmp_path / "cluster", cluster=cluster.scheduler_address)
    killer.join()
    assert killed
    assert result.digest == whole.digest
    assert sum(part.count for part in RunFolder(result.folder).parts()) == BOARDS


def test_bots_from_files_are_guarded_there_too(tmp_path, cluster, sample_bot):
    bots = ["heuristic", sample_bot("Random")]
    whole = play(tmp_path / "threads", bots, boards=40, chunk=10)
    result = play(
        tmp_path / "cluster", bots, boards=40, chunk=10, cluster=cluster.scheduler_address
    )
    assert result.digest == whole.digest


def test_a_cluster_that_is_not_there(tmp_path, monkeypatch):
    monkeypatch.setattr("forty5sim.arena.cluster.CONNECT_SECONDS", 1)
    with pytest.raises(RunError, match=r"no Dask scheduler answers at 'tcp://127\.0\.0\.1:9'"):
        play(tmp_path, cluster="tcp://127.0.0.1:9")
    with pytest.raises(RunError, match="no Dask scheduler answers"):
        play(tmp_path, cluster="nonsense")
    assert list(tmp_path.iterdir()) == []
