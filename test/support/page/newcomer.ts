import type { Page } from 'playwright-core';
import type { Licence } from './licences.ts';
import { tabTo } from './looking.ts';

/*
 * What somebody does who has never been here, with the keyboard alone: finds a copied passage, why two pages are not the same, and
 * how a family falls apart. Each errand begins where the one before it ended.
 */

export interface Errand {
  readonly what: string;
  /** What the page says at its end. */
  readonly found: string;
  /** Decisions: where to go, what to paste, what to press. */
  readonly steps: number;
  /** Keys pressed, also those on the way. */
  readonly keys: number;
}

/** A paragraph of the MIT licence with a word changed. */
export function changedPassage({ text }: Licence): string {
  const paragraph = text.split(/\n\s*\n/).find((each) => each.includes('Permission is hereby granted'))!;
  return paragraph.replace('free of charge', 'without charge');
}

/**
 * @param page at `/`, whose index has the licences of some packages
 * @param passage a part of one of them, with a word changed
 */
export async function runErrands(page: Page, passage: string): Promise<Errand[]> {
  const errands: Errand[] = [];
  let steps = 0;
  let keys = 0;
  const go = async (to: RegExp) => {
    keys += await tabTo(page, to);
    steps++;
  };
  const press = async (key: string) => {
    await page.keyboard.press(key);
    keys++;
  };
  const follow = async (to: RegExp) => {
    await go(to);
    await press('Enter');
  };
  const end = async (what: string, found: string) => {
    errands.push({ what, found, steps, keys });
    steps = 0;
    keys = 0;
  };

  await go(/^The document: text/);
  await page.keyboard.insertText(passage);
  keys++;
  await follow(/^Ask$/);
  await page.locator('.match').first().waitFor();
  await follow(/^\d+ shared passages?$/);
  const quote = page.locator('.match').first().locator('q').first();
  await quote.waitFor();
  await end('a copied passage', await quote.innerText());

  await follow(/^Side by side$/);
  await page.getByRole('heading', { name: 'Why they are not the same' }).waitFor();
  await end('why two pages are not the same', await page.locator('.outcome').innerText());

  // from the top: the views stand there, and what was asked is still there
  await follow(/^Ask$/);
  await page.locator('.match').first().waitFor();
  await follow(/^Its family$/);
  await page.locator('.map').waitFor();
  await go(/^Threshold$/);
  const heading = page.locator('.outcome h2').first();
  const told = [await heading.innerText()];
  for (let more = 0; more < 4; more++) {
    await press('PageUp');
    steps++;
    const percent = await page.getByRole('slider', { name: 'Threshold', exact: true }).inputValue();
    await page.getByRole('heading', { name: new RegExp(` at ${percent} %$`) }).waitFor();
    told.push(await heading.innerText());
  }
  await end('how a family falls apart', told.join('; '));
  return errands;
}
