import type { Static } from 'typebox';
import { describe, expectTypeOf, it } from 'vitest';
import type * as clusters from '../../src/http/schemas/clusters.schema.ts';
import type * as collapsed from '../../src/http/schemas/collapsed.schema.ts';
import type * as compare from '../../src/http/schemas/compare.schema.ts';
import type * as composition from '../../src/http/schemas/composition.schema.ts';
import type * as documents from '../../src/http/schemas/documents.schema.ts';
import type * as listing from '../../src/http/schemas/listing/listing.schema.ts';
import type * as versions from '../../src/http/schemas/listing/versions.schema.ts';
import type * as moved from '../../src/http/schemas/moved.schema.ts';
import type * as ndjson from '../../src/http/schemas/ndjson.schema.ts';
import type * as operation from '../../src/http/schemas/operation.schema.ts';
import type * as similar from '../../src/http/schemas/similar.schema.ts';
import type * as api from '../../src/service/api.ts';
import type { ClusterAnswer } from '../../src/service/clusters/cluster-api.ts';
import type { CompositionAnswer } from '../../src/service/composition/composition-shapes.ts';
import type * as movedApi from '../../src/service/moved/moved-api.ts';

/** The type without readonly, written out: schemas say nothing of who may change what. */
type Plain<T> = T extends readonly (infer U)[]
  ? Plain<U>[]
  : T extends object
    ? { -readonly [K in keyof T]: Plain<T[K]> }
    : T;

/** Line answers name their code by its type where the service's say only string. */
type WithCode<T> = T extends { readonly code: string } ? Omit<T, 'code'> & { code: string } : T;

/** Without the scope `read` nobody is told whether a content is new. */
type Told<T> = Omit<T, 'newContent'> & { readonly newContent: boolean | null };

describe('the schemas of answers (checked by the compiler)', () => {
  it('are the types that the service answers with', () => {
    expectTypeOf<Plain<Static<typeof similar.SimilarAnswer>>>().toEqualTypeOf<Plain<api.SimilarAnswer>>();
    expectTypeOf<Plain<Static<typeof documents.PutAnswer>>>().toEqualTypeOf<Plain<Told<api.PutAnswer>>>();
    expectTypeOf<Plain<Static<typeof documents.DocumentAnswer>>>().toEqualTypeOf<Plain<api.DocumentAnswer>>();
    expectTypeOf<Plain<Static<typeof versions.VersionsAnswer>>>().toEqualTypeOf<Plain<api.VersionsAnswer>>();
    expectTypeOf<Plain<Static<typeof versions.HostChangesAnswer>>>().toEqualTypeOf<Plain<api.HostChangesAnswer>>();
    expectTypeOf<Plain<Static<typeof listing.ListAnswer>>>().toEqualTypeOf<Plain<api.ListAnswer>>();
    expectTypeOf<Plain<Static<typeof listing.HostsAnswer>>>().toEqualTypeOf<Plain<api.HostsAnswer>>();
    expectTypeOf<Plain<Static<typeof listing.ForgetAnswer>>>().toEqualTypeOf<Plain<api.ForgetAnswer>>();
    expectTypeOf<Plain<Static<typeof listing.ExportLine>>>().toEqualTypeOf<Plain<api.ExportLine>>();
    expectTypeOf<Plain<Static<typeof compare.CompareAnswer>>>().toEqualTypeOf<Plain<api.CompareAnswer>>();
    expectTypeOf<Plain<Static<typeof collapsed.CollapseAnswer>>>().toEqualTypeOf<Plain<api.CollapseAnswer>>();
    expectTypeOf<Plain<Static<typeof composition.CompositionAnswer>>>().toEqualTypeOf<Plain<CompositionAnswer>>();
    expectTypeOf<Plain<Static<typeof clusters.ClusterAnswer>>>().toEqualTypeOf<Plain<ClusterAnswer>>();
    expectTypeOf<Plain<Static<typeof operation.StatsAnswer>>>().toEqualTypeOf<Plain<api.StatsAnswer>>();
    expectTypeOf<Plain<Static<typeof moved.MovedAnswer>>>().toEqualTypeOf<Plain<movedApi.MovedAnswer>>();
    expectTypeOf<Plain<WithCode<Static<typeof moved.MovedLineAnswer>>>>().toEqualTypeOf<
      Plain<WithCode<movedApi.MovedLineAnswer>>
    >();
    expectTypeOf<Plain<WithCode<Static<typeof ndjson.BulkLineAnswer>>>>().toEqualTypeOf<
      Plain<WithCode<api.BulkLineAnswer>>
    >();
    expectTypeOf<Plain<WithCode<Static<typeof ndjson.SimilarLineAnswer>>>>().toEqualTypeOf<
      Plain<WithCode<{ line: number } & ({ status: 200; answer: api.SimilarAnswer } | api.LineFailure)>>
    >();
  });
});
