import { readBulkLine } from '../../../src/http/routes/bulk-line.ts';
import type { FieldNames } from '../../../src/ingest/fields/field-names.ts';
import { createRecordMap, type RecordMap } from '../../../src/ingest/fields/record-map.ts';

/** A map with the real reader of bulk lines. */
export function recordMap(fields: FieldNames = {}, urlPrefix: string | null = null): RecordMap {
  return createRecordMap({ fields, urlPrefix, bulkLine: readBulkLine });
}
