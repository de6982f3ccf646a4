import { Buffer } from 'node:buffer';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { detectFormat } from '../../../src/ingest/inputs/detect.ts';
import { zipOf } from '../../support/ingest/document-archives.ts';

const ZEROS = '\0'.repeat(60);
const bytes = (text: string) => Buffer.from(text, 'latin1');
const office = (...names: string[]) => zipOf(names.map((name) => ({ name, content: 'x'.repeat(300) })));
const open = (kind: string) => zipOf([{ name: 'mimetype', content: `application/${kind}`, isStored: true }]);

const detect = (file: string, head: Buffer, told: Parameters<typeof detectFormat>[1] = null) =>
  detectFormat({ file, head, isWhole: true }, told);

describe('files that are not read', () => {
  it.each<[string, string, Buffer]>([
    ['an Arrow file', 'a.arrow', bytes(`ARROW1\0\0${ZEROS}`)],
    ['a Feather file', 'a.feather', bytes(`FEA1${ZEROS}`)],
    ['an Avro file', 'a.avro', bytes('Obj\x01\x04\x14avro.codec')],
    ['an ORC file', 'a.orc', bytes(`ORC${ZEROS}`)],
    ['an Excel workbook', 'a.xlsx', office('[Content_Types].xml', '_rels/.rels', 'xl/workbook.xml')],
    ['an Excel workbook', 'really-a.csv', office('[Content_Types].xml', 'xl/workbook.xml')],
    ['a PowerPoint presentation', 'a.pptx', office('[Content_Types].xml', 'ppt/a.xml')],
    ['an OpenDocument spreadsheet', 'a.ods', open('vnd.oasis.opendocument.spreadsheet')],
    ['a Java archive', 'a.jar', office('META-INF/MANIFEST.MF', 'a.class')],
    ['a SQLite database', 'a.ndjson', bytes(`SQLite format 3\0${ZEROS}`)],
    ['a Python pickle', 'a.pkl', bytes('\x80\x04\x95\x10')],
    ['an HDF5 file', 'a.h5', bytes('\x89HDF\r\n\x1a\n')],
    ['a netCDF file', 'a.nc', bytes('CDF\x01')],
    ['an R data file', 'a.RData', bytes('RDX3\nX\n')],
    ['a 7z archive', 'a.7z', bytes("7z\xbc\xaf'\x1c")],
    ['a RAR archive', 'a.rar', bytes('Rar!\x1a\x07\x01')],
    ['an LZ4 file', 'a.jsonl.lz4', bytes('\x04\x22\x4d\x18')],
    ['a Brotli file', 'a.jsonl.br', bytes('\x8b\x0f\x80words\x03')],
    ['a file of compress', 'a.Z', bytes('\x1f\x9d\x90')],
    ['a disk image', 'a.iso', bytes(`${'\0'.repeat(32_769)}CD001\x01`)],
    ['a mailbox', 'a.mbox', bytes('From a@b.example Mon Jan  1 00:00:00 2024\nFrom: x\n\nwords\n')],
    ['a MARC file', 'a.mrc', bytes('00714cam a2200205 a 4500001001300000003000400013')],
    ['a PNG image', 'a.png', bytes('\x89PNG\r\n\x1a\n')],
    ['binary data', 'a.dat', bytes('\x01\x02\x03\x04\x05\x06\x07\x08')],
    ['gzip data. It was packed twice', 'a.gz.gz', gzipSync('a')],
  ])('are named: %s, %s', (kind, file, head) => {
    expect(() => detect(file, head)).toThrow(`${file} is not read: it is ${kind}`);
    expect(() => detect(file, head)).not.toThrow('--format');
  });

  it('are not taken for records by being told so', () => {
    expect(() => detect('a', office('[Content_Types].xml', 'xl/a.xml'), 'csv')).toThrow('an Excel workbook');
  });

  it.each<[string, string]>([
    ['a.csv', 'BM,url\n1,https://a.example/\n'],
    ['a.csv', 'ID3,ORC\n'],
    ['a.ndjson', '{"text":"\u0001\u0002\u0003"}\n'],
    ['a.txt', 'From here on it is 2024.\n'],
    ['a.txt', 'PK is a name'],
  ])('are no texts that only begin like them: %s %s', (file, text) => {
    expect(() => detect(file, bytes(text))).not.toThrow();
  });

  it('are no zips that are documents', () => {
    for (const head of [
      office('[Content_Types].xml', 'word/a.xml'),
      open('epub+zip'),
      open('vnd.oasis.opendocument.text'),
    ]) {
      expect(detect('a.x', head)).toEqual({ format: 'document' });
    }
    expect(detect('a.x', office('word/a.txt'))).toEqual({ format: 'zip' });
  });
});
