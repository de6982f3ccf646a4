/*
 * A crawl by Crawlee that keeps each text once: a page whose text is known is no item, and its links are not followed, so a
 * mirror or a calendar without end costs one page.
 *
 *     npm install @crawlee/cheerio
 *     node examples/crawlee.ts http://localhost:8080 https://a.example/
 */
import { pathToFileURL } from 'node:url';
import { CheerioCrawler, Configuration, Log, LogLevel } from '@crawlee/cheerio';
import { storeUnlessSimilar } from './unless-similar.ts';

export interface CrawlResult {
  /** Addresses whose text is in the index now. */
  readonly stored: string[];
  /** Each with the page that says the same. */
  readonly copies: { readonly url: string; readonly copyOf: string }[];
  /** What could not be read. */
  readonly failed: string[];
}

/**
 * Crawls a site from a page on.
 *
 * @param shingled where it listens, such as http://localhost:8080
 */
export async function crawl(start: string, shingled: string, pagesMax = 1000): Promise<CrawlResult> {
  const result: CrawlResult = { stored: [], copies: [], failed: [] };
  const crawler = new CheerioCrawler(
    {
      maxRequestsPerCrawl: pagesMax,
      log: new Log({ level: LogLevel.ERROR }),
      async requestHandler({ request, response, body, contentType, enqueueLinks }) {
        const url = request.loadedUrl;
        if ((response.statusCode ?? 0) >= 400) {
          result.failed.push(url);
          return;
        }
        // Crawlee gives a page as text, which is UTF-8 whatever it was sent as
        const page = { url, body: body.toString(), contentType: `${contentType.type}; charset=utf-8` };
        const { copyOf } = await storeUnlessSimilar(page, shingled);
        if (copyOf !== null) {
          result.copies.push({ url, copyOf });
          return;
        }
        result.stored.push(url);
        await enqueueLinks({ strategy: 'same-hostname' });
      },
      failedRequestHandler({ request }) {
        result.failed.push(request.url);
      },
    },
    // nothing of a crawl is kept in the folder where it is started
    new Configuration({ persistStorage: false }),
  );
  await crawler.run([start]);
  return result;
}

if (import.meta.url === pathToFileURL(process.argv[1]!).href) {
  const [, , shingled = '', start = ''] = process.argv;
  const { stored, copies, failed } = await crawl(start, shingled);
  for (const { url, copyOf } of copies) console.log(`${url} says what ${copyOf} does`);
  console.log(`${stored.length} stored, ${copies.length} copies, ${failed.length} not read`);
}
