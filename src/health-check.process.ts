import { get } from 'node:http';

/*
 * The health check of the image: exits with 0 where the service of this container answers, with 1 where it does not. It
 * asks where HOST and PORT have the service listen; where that is every address, by loopback.
 */

const TIMEOUT_MS = 4000;

const { HOST = '', PORT = '' } = process.env;
const isEverywhere = /^[0.:]*$/.test(HOST);
const loopback = HOST.includes(':') ? '::1' : '127.0.0.1';

const request = get(
  { host: isEverywhere ? loopback : HOST, port: PORT || 8080, path: '/health/live', timeout: TIMEOUT_MS },
  ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1),
);
request.on('timeout', () => process.exit(1));
request.on('error', () => process.exit(1));
