"""A server that can be started again in no time: this program loads everything once and forks a server when asked.

It reads a word a line: `start` forks a server at the port of its second argument and answers with the process id.
"""

import os
import signal
import socket
import sys

import uvicorn

from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.web.app import create_app


def serve(url: str, port: int) -> None:
    """Serve until killed."""
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    made.bind(("127.0.0.1", port))
    made.listen(64)
    app = create_app(GameService(Store(url)))
    uvicorn.Server(uvicorn.Config(app, log_level="error")).run(sockets=[made])


def main() -> None:
    """Fork a server for each line."""
    url, port = sys.argv[1], int(sys.argv[2])
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for _ in sys.stdin:
        child = os.fork()
        if not child:
            os.close(0)
            serve(url, port)
            os._exit(0)
        sys.stdout.write(f"{child}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
