import type { BulkOperation } from '../../service/api.ts';
import { BulkLine } from '../schemas/documents.schema.ts';
import { compileCheck } from '../validation/validation.ts';
import { bulkOperationFrom } from './requests.ts';

const checkLine = compileCheck(BulkLine);

/** The operation that a line of a bulk request asks for. @throws ShingledError `invalid-request`, naming the field at fault */
export function readBulkLine(json: unknown): BulkOperation {
  return bulkOperationFrom(checkLine(json));
}
