import { edited, randomFrom, textOf } from '../../../bench/support/texts.ts';
import type { Sighting } from './sightings.ts';

/*
 * A little web, seen in sweeps, in which it is known where each document is: pages that are edited, move within a host or
 * to another one, with a redirect or none, and die; hosts that answer for a page that is gone with 404, with one notice for
 * all (soft 404), with a notice that names the page, or with their home page; hosts that are sold and show what their new
 * owner has put on all of his; mirrors, pages of one template, pages that are replaced by others at the same URL.
 *
 *   sweep     1      2      3                       told to the index of each sweep: what each known URL answers
 *   /a        doc 7  doc 7' notice
 *   /b                      doc 7'                  truth: the document of /a is at /b
 */

export interface WorldOptions {
  readonly seed: number;
  readonly hosts: number;
  readonly pagesAHost: number;
  readonly sweeps: number;
}

type Habit = 'not-found' | 'notice' | 'naming-notice' | 'home';

interface Host {
  readonly name: string;
  readonly habit: Habit;
  /** What all of its pages begin with; '' = pages without a template. */
  readonly template: string;
  readonly notice: string;
  parked: boolean;
}

interface Page {
  readonly url: string;
  readonly host: Host;
  /** null: nothing is there any more. */
  document: Document | null;
  /** Where it leads, after its document has moved. */
  redirect: string | null;
}

interface Document {
  readonly id: number;
  text: string;
}

const DAY = 86_400_000;
const START = Date.parse('2026-01-01T00:00:00Z');
const HABITS: readonly Habit[] = ['not-found', 'not-found', 'notice', 'naming-notice', 'home'];
/** Chances a page and sweep. */
const EDITED = 0.15;
const MOVED = 0.03;
const MOVED_ELSEWHERE = 0.01;
const DIED = 0.03;
const REPLACED = 0.005;
/** Of moves. */
const REDIRECTS = 0.25;
const KEEPS_NAME = 0.6;
const EDITED_BESIDES = 0.5;

export class WebWorld {
  readonly hosts: Host[];
  private readonly pages = new Map<string, Page>();
  private readonly options: WorldOptions;
  private readonly random: () => number;
  private readonly parking: string;
  private documents = 0;
  private names = 0;
  private sweep = 0;

  constructor(options: WorldOptions) {
    this.options = options;
    this.random = randomFrom(options.seed);
    this.parking = this.textOf(400);
    this.hosts = Array.from({ length: options.hosts }, (_, i) => this.host(`h${i}.example`));
    for (const host of this.hosts) {
      this.add(`https://${host.name}/`, host, this.document(host, 900));
      for (let i = 0; i < options.pagesAHost; i++) this.add(this.newUrl(host), host, this.document(host));
    }
    // mirrors of one page in thirty, on another host, from the beginning
    for (const { document, host } of [...this.pages.values()]) {
      if (this.random() < 1 / 30) {
        const other = this.otherHost(host);
        this.add(this.newUrl(other), other, document);
      }
    }
  }

  /** What changes before the next sweep, and what that finds. */
  *next(): Generator<Sighting> {
    if (this.sweep > 0) this.change();
    const from = START + this.sweep * 30 * DAY;
    this.sweep++;
    let at = from;
    for (const page of [...this.pages.values()]) {
      at += 1000;
      yield { url: page.url, time: at, ...this.answerOf(page) };
    }
  }

  get isOver(): boolean {
    return this.sweep === this.options.sweeps;
  }

  /** The old URLs: those that show no longer what they showed. Where their documents are, and whether they moved. */
  *truth(): Generator<{ readonly url: string; readonly places: ReadonlySet<string> }> {
    const places = new Map<number, Set<string>>();
    for (const { url, document, redirect, host } of this.pages.values()) {
      if (document === null || redirect !== null || host.parked) continue;
      places.set(document.id, (places.get(document.id) ?? new Set()).add(url));
    }
    for (const [url, id] of this.lost) yield { url, places: places.get(id) ?? new Set() };
  }

  /** Old URL -> the document that it had. */
  private readonly lost = new Map<string, number>();
  /** Old URL -> whether the document moved away from it, rather than died. */
  readonly movedFrom = new Set<string>();

  /** What a URL shows instead of a document, if it does: the name of the notice. */
  noticeOf(url: string): string | null {
    const page = this.pages.get(url);
    if (page === undefined) return null;
    if (page.host.parked) return 'parked';
    const isMissing = page.document === null && page.redirect === null;
    return isMissing && page.host.habit !== 'not-found' ? page.host.name : null;
  }

  private answerOf({ url, host, document, redirect }: Page): Pick<Sighting, 'text' | 'finalUrl'> {
    if (host.parked) return { text: this.parking, finalUrl: null };
    if (redirect !== null) {
      const target = this.pages.get(redirect)!;
      return target.document === null || target.host.parked
        ? this.missing(host, url)
        : { text: target.document.text, finalUrl: redirect };
    }
    return document === null ? this.missing(host, url) : { text: document.text, finalUrl: null };
  }

  private missing(host: Host, url: string): Pick<Sighting, 'text' | 'finalUrl'> {
    const home = `https://${host.name}/`;
    switch (host.habit) {
      case 'not-found':
        return { text: null, finalUrl: null };
      case 'notice':
        return { text: host.notice, finalUrl: null };
      case 'naming-notice':
        return { text: `${host.notice} ${url.replaceAll(/\W+/g, ' ')} ${host.notice.slice(0, 60)}`, finalUrl: null };
      case 'home':
        return { text: this.pages.get(home)!.document!.text, finalUrl: home };
    }
  }

  private change(): void {
    const { random } = this;
    for (const host of this.hosts) if (random() < 0.02) this.park(host);
    for (const page of [...this.pages.values()]) {
      const { document, host, redirect, url } = page;
      if (document === null || redirect !== null || host.parked) continue;
      if (random() < EDITED) document.text = this.edit(document.text);
      if (url === `https://${host.name}/`) continue;
      const draw = random();
      if (draw < MOVED) this.move(page, host);
      else if (draw < MOVED + MOVED_ELSEWHERE) this.move(page, this.otherHost(host));
      else if (draw < MOVED + MOVED_ELSEWHERE + DIED) this.lose(page);
      else if (draw < MOVED + MOVED_ELSEWHERE + DIED + REPLACED) {
        this.lost.set(url, document.id);
        page.document = this.document(host);
      }
    }
    // new pages come all the time
    for (const host of this.hosts) {
      if (host.parked) continue;
      for (let i = 0; i < this.options.pagesAHost / 20; i++) this.add(this.newUrl(host), host, this.document(host));
    }
  }

  private move(page: Page, host: Host): void {
    const { document, url } = page;
    if (document === null || host.parked) return;
    const { random } = this;
    this.lost.set(url, document.id);
    this.movedFrom.add(url);
    if (random() < EDITED_BESIDES) document.text = this.edit(document.text);
    const name = random() < KEEPS_NAME ? url.slice(url.lastIndexOf('/') + 1) : null;
    const to = this.newUrl(host, name);
    this.add(to, host, document);
    if (random() < REDIRECTS) page.redirect = to;
    else page.document = null;
  }

  private lose(page: Page): void {
    this.lost.set(page.url, page.document!.id);
    page.document = null;
  }

  private park(host: Host): void {
    if (host.parked) return;
    for (const page of this.pages.values()) {
      if (page.host !== host || page.document === null || page.redirect !== null) continue;
      this.lose(page);
    }
    host.parked = true;
  }

  private host(name: string): Host {
    const habit = HABITS[Math.floor(this.random() * HABITS.length)]!;
    const template = this.random() < 0.5 ? '' : this.textOf(300 + 900 * this.random());
    return { name, habit, template, notice: this.textOf(150 + 300 * this.random()), parked: false };
  }

  private otherHost(host: Host): Host {
    const others = this.hosts.filter((other) => other !== host && !other.parked);
    return others[Math.floor(this.random() * others.length)] ?? host;
  }

  private document(host: Host, bytes = 400 + 3000 * this.random()): Document {
    return { id: this.documents++, text: `${host.template} ${this.textOf(bytes)}`.trim() };
  }

  private edit(text: string): string {
    // up to one word in thirty: of shingles of seven words three quarters stay, at the least
    const changed = edited(text, Math.floor(this.random() * 2 ** 31), 0.03 * this.random());
    return this.random() < 0.3 ? `${changed} ${this.textOf(text.length * 0.2 * this.random())}` : changed;
  }

  private textOf(bytes: number): string {
    return textOf(Math.floor(this.random() * 2 ** 31), bytes);
  }

  private newUrl(host: Host, name: string | null = null): string {
    const number = this.names++;
    const folder = ['docs', 'news', 'a/b', 'archive'][number % 4]!;
    return `https://${host.name}/${folder}/${name === null ? '' : `${number}/`}${name ?? `page-${number}.html`}`;
  }

  private add(url: string, host: Host, document: Document | null): void {
    this.pages.set(url, { url, host, document, redirect: null });
  }
}
