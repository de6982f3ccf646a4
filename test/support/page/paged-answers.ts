import type { Page, Route } from 'playwright-core';

/** Answers a thorough question by pages of two matches, each when it is told to. */
export async function servePages(page: Page, count: number) {
  const cursors: (string | null)[] = [];
  const waiting: Route[] = [];
  let came = () => {};
  await page.route('**/similar', (route) => {
    cursors.push(route.request().postDataJSON().cursor ?? null);
    waiting.push(route);
    came();
  });
  return {
    asked: () => cursors,
    forget: () => waiting.splice(0),
    async next(status = 200) {
      if (waiting.length === 0)
        await new Promise<void>((resolve) => {
          came = resolve;
        });
      const route = waiting.shift()!;
      if (status !== 200) return route.fulfill({ status, json: { code: 'overloaded', title: 'T', detail: 'D' } });
      const at = Number((route.request().postDataJSON().cursor ?? 'page 0').slice(5));
      const { cursor: _none, ...request } = route.request().postDataJSON();
      const answer = await (await route.fetch({ postData: JSON.stringify(request) })).json();
      const [match] = answer.matches;
      const matches = [0, 1].map((nth) => ({ ...match, title: `match ${at * 2 + nth}` }));
      return route.fulfill({ json: { ...answer, matches, cursor: at + 1 < count ? `page ${at + 1}` : null } });
    },
  };
}
