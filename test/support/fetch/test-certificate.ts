/*
 * A self-signed certificate for site.example and 127.0.0.1, and its key, which is no secret: nothing outside the tests
 * trusts it.
 *
 * Valid 2020 to 2120. Made by: openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes, then openssl ca
 * -selfsign with basicConstraints=critical,CA:TRUE and subjectAltName=DNS:site.example,IP:127.0.0.1.
 */

export const TEST_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgD8A1gB5dREAEIefU
McQUb+54aZPD9r1eBjna+PwtPymhRANCAASNvoezCxy+22V2TgEciqs1RBJWIeS+
CT8O94QZR+m+5WH2d7UJwLXflQsymXGPLn+l2N1Nq5Kw3/+xWCHBbpbC
-----END PRIVATE KEY-----
`;

export const TEST_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBczCCARigAwIBAgIBATAKBggqhkjOPQQDAjAYMRYwFAYDVQQDDA1zaGluZ2xl
ZCB0ZXN0MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAYMRYwFAYD
VQQDDA1zaGluZ2xlZCB0ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEjb6H
swscvttldk4BHIqrNUQSViHkvgk/DveEGUfpvuVh9ne1CcC135ULMplxjy5/pdjd
TauSsN//sVghwW6WwqNRME8wDwYDVR0TAQH/BAUwAwEB/zAdBgNVHREEFjAUggxz
aXRlLmV4YW1wbGWHBH8AAAEwHQYDVR0OBBYEFFQp+QvrWZy9FnKjgI34DxYpKcdG
MAoGCCqGSM49BAMCA0kAMEYCIQCZTpFayZTRmvIO24E7zd1GtVpwlROVXjN9k88L
sEXUJwIhALdPlQCPUcdkk2RLaELbtwGO5D8F2yW2YA50twpidU1e
-----END CERTIFICATE-----
`;
