"""A small client of the API server, for the programs in this folder: JSON in and out, a client certificate."""
import json
import ssl
import urllib.error
import urllib.request


class Client:
    """pki is the folder of ca.crt, NAME.crt and NAME.key."""

    def __init__(self, server, pki, name):
        self.server = server
        self.context = ssl.create_default_context(cafile=f"{pki}/ca.crt")
        self.context.load_cert_chain(f"{pki}/{name}.crt", f"{pki}/{name}.key")

    def call(self, method, path, body=None, content_type="application/json"):
        """The answer's document, or None where there is no such object or it exists already."""
        request = urllib.request.Request(
            self.server + path, method=method, headers={"Content-Type": content_type},
            data=None if body is None else json.dumps(body).encode())
        try:
            with urllib.request.urlopen(request, context=self.context, timeout=10) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code in (404, 409):
                return None
            raise

    def items(self, path):
        return self.call("GET", path)["items"]
