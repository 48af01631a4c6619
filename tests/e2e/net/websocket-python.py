"""WebSockets with python3-websockets as the client: websocket-python.py ws://127.0.0.1:PORT"""
import asyncio
import sys

import websockets


async def echo(url):
    async with websockets.connect(url + "/echo", max_size=None) as ws:
        for n in (0, 1, 125, 126, 65535, 65536, 200 * 1024, 1024 * 1024):
            text = "x" * n
            await ws.send(text)
            assert await ws.recv() == text, n
            data = bytes(i * 7 & 255 for i in range(n))
            await ws.send(data)
            assert await ws.recv() == data, n
        for text in ("naïve café", "中文字符" * 20000, "😀🎮" * 20000, "\0\U0010ffff"):
            await ws.send(text)
            assert await ws.recv() == text


async def fragments(url):
    async with websockets.connect(url + "/echo") as ws:
        await ws.send(["one ", "two ", "", "three 中文"])
        assert await ws.recv() == "one two three 中文"
        await ws.send([b"\0", b"\xff" * 1000])
        assert await ws.recv() == b"\0" + b"\xff" * 1000


async def pings(url):
    async with websockets.connect(url + "/echo") as ws:
        waiters = [await ws.ping(str(i)) for i in range(20)]
        for waiter in waiters:
            await asyncio.wait_for(waiter, 30)


async def closes(url):
    for code, reason in ((1000, ""), (1001, "server stops"), (4000, "再见")):
        async with websockets.connect(url + "/command") as ws:
            await ws.send(f"close {code} {reason}")
            try:
                await ws.recv()
                raise AssertionError("no close")
            except websockets.ConnectionClosed:
                pass
            assert (ws.close_code, ws.close_reason) == (code, reason), (ws.close_code, ws.close_reason)
    ws = await websockets.connect(url + "/echo")
    await ws.close(3001, "enough")
    assert ws.close_code == 3001, ws.close_code
    ws = await websockets.connect(url + "/command")
    await ws.send("drop")
    try:
        await ws.recv()
        raise AssertionError("no end")
    except websockets.ConnectionClosedError:
        assert ws.close_code == 1006, ws.close_code


async def too_big(url):
    async with websockets.connect(url + "/echo") as ws:
        try:
            await ws.send("x" * (1024 * 1024 + 1))
            await ws.recv()
            raise AssertionError("no close")
        except websockets.ConnectionClosed:
            pass
        assert ws.close_code == 1009, ws.close_code


async def refusals(url):
    for path, headers, status in (
        ("/nothing", {}, 404),
        ("/echo", {"Origin": "http://example.com"}, 403),
    ):
        try:
            await websockets.connect(url + path, extra_headers=headers)
            raise AssertionError("not refused")
        except websockets.InvalidStatusCode as e:
            assert e.status_code == status, e.status_code


async def main(url):
    for check in (echo, fragments, pings, closes, too_big, refusals):
        await asyncio.wait_for(check(url), 60)
        print("ok", check.__name__)


asyncio.run(main(sys.argv[1]))
