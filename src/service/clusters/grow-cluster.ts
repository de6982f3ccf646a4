import { GrowingTree } from '../../core/cluster/grow/growing-tree.ts';
import { type LookUpPlan, type LookUpThresholds, planLookUpSteps } from '../../core/query/look-up.ts';
import { type SizeRecall, statedRecall } from '../../core/query/recall.ts';
import { exactSample, type KeptSample } from '../../core/sketch/narrow.ts';
import { inTurns } from '../../sharing/turns.ts';
import type { Content, ContentRef, NeighbourSet } from '../../store/port.ts';
import type { QueryContext } from '../context.ts';
import type { ClusterRequest } from './cluster-api.ts';
import { type MemberSources, memberSources, type SourceBudget } from './member-sources.ts';
import { type Member, MemberReader } from './read-members.ts';

/*
 * A cluster of the index, grown from one content: its component at the threshold, strongest pairs first.
 *
 *   take the strongest of the fringe ── is it looked up? ── yes: take it, compare it with all that are known
 *                 ▲                          │ no
 *                 │                          ▼
 *   what it meets becomes known  ◄──  look up a part of the fringe, the strongest first, in one read of the index
 *
 * So the order is that of Prim's algorithm, and nothing is looked up in vain but where a limit ends it. Contents that all
 * sources have moved on from are passed over.
 */

/** Fingerprints that are looked up in one read of the index: lists of a thousand contents take 32 MB then. */
const KEYS_A_PART = 8192;
/** Contents that are looked up in one read. */
const PART_MAX = 256;

const NOTHING: LookUpThresholds = { resemblance: null, queryInMatch: null, matchInQuery: null };

export interface GrownCluster {
  readonly tree: GrowingTree<Member>;
  /** Of members, by their numbers in the tree. */
  readonly sources: ReadonlyMap<number, MemberSources>;
  /** Contents of the fringe that were not taken: the limit of members came first, or the deadline. */
  readonly open: number;
  readonly late: boolean;
  readonly recall: number;
  /** By containment: of contents that have so many shingles or more. */
  readonly recallBySize: readonly SizeRecall[] | null;
  readonly wholeLooked: boolean;
  readonly met: Readonly<Met>;
}

/** What look-ups have met. */
interface Met {
  keysWanted: number;
  keys: number;
  listsCut: number;
  leftOut: number;
  unreadable: number;
  twinsCut: boolean;
}

const thresholdsOf = ({ by, threshold }: Pick<ClusterRequest, 'by' | 'threshold'>): LookUpThresholds =>
  by === 'resemblance'
    ? { resemblance: threshold, queryInMatch: null, matchInQuery: null }
    : { resemblance: null, queryInMatch: threshold, matchInQuery: threshold };

/** @throws the deadline's error where it passed before anything was looked up */
export async function growCluster(
  context: QueryContext,
  first: Content<KeptSample>,
  request: ClusterRequest,
): Promise<GrownCluster> {
  return new Growth(context, request).grow(first);
}

class Growth {
  private readonly context: QueryContext;
  private readonly request: ClusterRequest;
  private readonly members: MemberReader;
  private readonly thresholds: LookUpThresholds;
  private readonly tree: GrowingTree<Member>;
  private readonly numbers = new Map<string, number>();
  private readonly sources = new Map<number, MemberSources>();
  private readonly budget: SourceBudget;
  private readonly met: Met = {
    ...{ keysWanted: 0, keys: 0, listsCut: 0, leftOut: 0, unreadable: 0, twinsCut: false },
  };
  private recall = 1;
  /** Of contents that are not smaller than the member that meets them. */
  private recallOfLarger = 1;
  private readonly recallFrom = new Map<number, number>();
  private wholeLooked = true;
  private values = 0;
  private readonly known: ContentRef[] = [];

  constructor(context: QueryContext, request: ClusterRequest) {
    this.context = context;
    this.request = request;
    this.members = new MemberReader(context, request.content);
    this.thresholds = thresholdsOf(request);
    this.tree = new GrowingTree(request.by, request.threshold);
    this.budget = { left: context.limits.sourcesReadMax, bytes: context.limits.answerBytesMax };
  }

  async grow(first: Content<KeptSample>): Promise<GrownCluster> {
    const { context, tree } = this;
    const { turns, deadline } = context;
    const seed = await this.add(await this.members.one(first));
    await this.lookUp([seed]);
    await inTurns(tree.takeSteps(seed), turns);
    let late = false;
    while (tree.taken.length < this.request.limit) {
      if (turns.spent()) await turns.next();
      deadline.throwIfGivenUp();
      const next = tree.strongest();
      if (next === undefined) break;
      if (this.sources.has(next)) {
        await inTurns(tree.takeSteps(next), turns);
        continue;
      }
      late = deadline.passed || (await this.lookUpInTime());
      if (late) break;
    }
    const { sources, recall, wholeLooked, met } = this;
    const { recallOfLarger, recallFrom } = this;
    const bySize = Array.from(recallFrom, ([shinglesLeast, least]) => ({
      shinglesLeast,
      recall: Math.min(least, recallOfLarger),
    }));
    const recallBySize = this.request.by === 'containment' ? bySize : null;
    return { tree, sources, open: tree.fringe().length, late, recall, recallBySize, wholeLooked, met };
  }

  /** Adds what was met. With `content=main`, a document without a content of its own is noted as met and not added. */
  private async addAll(contents: readonly Content<KeptSample>[]): Promise<void> {
    const unknown = contents.filter(({ id }) => !this.numbers.has(id));
    for await (const member of this.members.each(unknown)) {
      if (!this.members.isNothing(member)) await this.add(member);
      else this.known.push({ id: member.id, locator: member.locator });
    }
  }

  private async add(content: Member): Promise<number> {
    const known = this.numbers.get(content.id);
    if (known !== undefined) return known;
    const number = await inTurns(this.tree.addSteps(content), this.context.turns);
    this.numbers.set(content.id, number);
    this.known.push({ id: content.id, locator: content.locator });
    this.values += content.sample.values.length;
    return number;
  }

  /** Looks up the strongest of the fringe. @returns whether the deadline came first */
  private async lookUpInTime(): Promise<boolean> {
    const room = Math.min(PART_MAX, this.request.limit - this.tree.taken.length);
    const waiting = this.tree.fringe().filter((number) => !this.sources.has(number));
    try {
      await this.lookUp(waiting.slice(0, room));
      return false;
    } catch (error) {
      this.context.deadline.throwIfGivenUp();
      if (this.context.deadline.passed) return true;
      throw error;
    }
  }

  /** Reads the sources of contents, and what is near those that have any. Of many keys, the first are looked up alone. */
  private async lookUp(numbers: readonly number[]): Promise<void> {
    const { tree, context } = this;
    const plans = new Map<number, LookUpPlan>();
    let keys = 0;
    for (const number of numbers) {
      if (keys > KEYS_A_PART) break;
      const plan = await this.planOf(tree.documents[number]!);
      plans.set(number, plan);
      keys += plan.keys.length;
    }
    const planned = [...plans.keys()];
    const { sourcesPerMember } = this.request;
    const [found, ...read] = await Promise.all([
      this.near(planned, plans),
      ...planned.map((number) => memberSources(context, tree.documents[number]!, sourcesPerMember, this.budget)),
    ]);
    await this.addAll(found.contents);
    this.met.leftOut += found.leftOut;
    this.met.unreadable += found.unreadable;
    // noted once all is known that is near them: a deadline before that leaves them in the fringe
    for (const [i, number] of planned.entries()) {
      if (read[i]!.oldest === null) tree.drop(number);
      else {
        this.sources.set(number, read[i]!);
        if (!this.members.isNothing(tree.documents[number]!)) this.note(plans.get(number)!, found.read[i]!);
      }
    }
  }

  private async planOf(member: Member): Promise<LookUpPlan> {
    const { store, limits, turns } = this.context;
    const { indexModulusMax } = store.description;
    const { lookUpsMax } = limits;
    const { shingleCount, sample } = member.own ?? member;
    const thresholds = this.members.isNothing(member) ? NOTHING : this.thresholds;
    const known = { shingleCount, sample: exactSample(sample) };
    const plan = await inTurns(planLookUpSteps(known, thresholds, { indexModulusMax, lookUpsMax }), turns);
    return member.own === null ? plan : { ...plan, ofParts: true };
  }

  private near(numbers: readonly number[], plans: ReadonlyMap<number, LookUpPlan>): Promise<NeighbourSet> {
    const { tree, context, thresholds, known } = this;
    const { store, limits, deadline } = context;
    const lookUps = numbers.map((number) => {
      const { keysWanted: _, ...lookUp } = plans.get(number)!;
      const member = tree.documents[number]!;
      return { ...lookUp, shingleDigest: this.members.isNothing(member) ? null : member.shingleDigest };
    });
    return deadline.race(
      store.neighbours({
        ...{ lookUps, thresholds, known },
        recordsMax: Math.max(0, limits.clusterKnownMax - known.length),
        valuesMax: Math.max(0, limits.clusterValuesMax - this.values),
      }),
    );
  }

  private note(plan: LookUpPlan, { shares, twinsCut }: NeighbourSet['read'][number]): void {
    const { met, thresholds, context } = this;
    const { indexModulusMax } = context.store.description;
    met.keysWanted += plan.keysWanted;
    met.keys += plan.keys.length;
    met.listsCut += shares.filter((share) => share > 0 && share < 1).length;
    met.twinsCut ||= twinsCut;
    const conditions = { indexModulusMax, shares, passedOver: true, cut: null };
    const { recall, nothingLeftOut } = statedRecall(plan, thresholds, conditions);
    this.wholeLooked &&= nothingLeftOut && !twinsCut;
    this.recallOfLarger = Math.min(this.recallOfLarger, recall.queryInMatch ?? 1);
    this.recall = Math.min(this.recall, recall.resemblance ?? 1, this.recallOfLarger, recall.matchInQuery ?? 1);
    for (const { shinglesLeast, recall: least } of recall.matchInQueryBySize ?? []) {
      this.recallFrom.set(shinglesLeast, Math.min(this.recallFrom.get(shinglesLeast) ?? 1, least));
    }
  }
}
