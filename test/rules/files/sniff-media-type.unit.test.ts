import { describe, expect, test } from 'vitest'
import { readFileName } from '../../../src/rules/files/file-name.ts'
import { sniffMediaType } from '../../../src/rules/files/sniff-media-type.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')

describe('The type of a file depends on its bytes', () => {
  test.for([
    ['image/jpeg', '\xff\xd8\xff\xe0\0\x10JFIF'],
    ['image/png', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'],
    ['image/gif', 'GIF89a\x01\0'],
    ['image/webp', 'RIFF\x22\0\0\0WEBPVP8 '],
    ['image/heic', '\0\0\0\x18ftypheic\0\0\0\0'],
    ['image/avif', '\0\0\0\x1cftypavif\0\0\0\0'],
    ['audio/wav', 'RIFF\x22\0\0\0WAVEfmt '],
    ['audio/ogg', 'OggS\0\x02'],
    ['audio/amr', '#!AMR\n\x3c'],
    ['audio/mpeg', 'ID3\x04\0'],
    ['audio/mpeg', '\xff\xfb\x90\x64\0'],
    ['audio/aac', '\xff\xf1\x50\x80\x2e\x7f'],
    ['audio/mp4', '\0\0\0\x18ftypM4A \0\0\0\0'],
    ['video/mp4', '\0\0\0\x18ftypisom\0\0\x02\0'],
    ['video/3gpp', '\0\0\0\x18ftyp3gp4\0\0\x02\0'],
    ['video/quicktime', '\0\0\0\x14ftypqt  \0\0\0\0'],
    ['video/webm', '\x1a\x45\xdf\xa3\x01'],
    ['application/pdf', '%PDF-1.7\n'],
    ['application/zip', 'PK\x03\x04\x14\0a.txt'],
    [
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'PK\x03\x04\x14\0[Content_Types].xml PK\x03\x04 word/document.xml',
    ],
    [
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'PK\x03\x04\x14\0[Content_Types].xml PK\x03\x04 xl/workbook.xml',
    ],
    [
      'application/msword',
      '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1  W\0o\0r\0d\0D\0o\0c\0u\0m\0e\0n\0t\0',
    ],
    ['text/plain', 'name,phone\r\nSara,+966501234567\n'],
    ['text/plain', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['text/plain', '<!doctype html><script>alert(1)</script>'],
    ['application/octet-stream', 'MZ\x90\0\x03\0\0\0'],
    ['application/octet-stream', '\x7fELF\x02\x01\x01'],
    ['application/octet-stream', '\xff\xfe\0\0'],
    ['application/octet-stream', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 of nothing known'],
    ['application/octet-stream', ''],
  ])('%s', ([mediaType, text]) => expect(sniffMediaType(bytes(text!))).toBe(mediaType))

  test('a text in Arabic is a text', () => {
    expect(sniffMediaType(Buffer.from('الاسم والرقم'))).toBe('text/plain')
  })

  test('a long text is known by its first megabyte, wherever that cuts a letter', () => {
    for (const before of ['', 'a']) {
      const text = Buffer.from(`${before}${'اسم'.repeat(400_000)}`)
      expect(sniffMediaType(text)).toBe('text/plain')
      text[1_000_000] = 0
      expect(sniffMediaType(text)).toBe('application/octet-stream')
    }
  })

  test('every beginning of every file is read without an exception', () => {
    for (let first = 0; first < 256; first += 1) {
      for (const length of [1, 2, 3, 7, 8, 12]) {
        expect(sniffMediaType(Buffer.alloc(length, first))).toMatch(/^\w+\/[\w.-]+$/)
      }
    }
  })
})

describe('The name of a file is shown, and has no other use', () => {
  test.for([
    ['receipt.pdf', 'receipt.pdf'],
    ['فاتورة سارة.pdf', 'فاتورة سارة.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\sara\\receipt.pdf', 'receipt.pdf'],
    ['photo\u202egpj.exe', 'photo gpj.exe'],
    ['a"b\r\nset-cookie: x.pdf', 'a b set-cookie x.pdf'],
    ['.htaccess', 'htaccess'],
    ['  two   words .txt ', 'two words .txt'],
    ['a\0b', 'a\ufffdb'],
  ])('%j is shown as %j', ([name, shown]) => expect(readFileName(name)).toBe(shown))

  test('a name without visible characters is none, and a long one is cut between characters', () => {
    for (const name of [undefined, null, '', '/', '...', '\u0007'])
      expect(readFileName(name)).toBe(null)
    expect([...readFileName('🙂'.repeat(300))!]).toHaveLength(200)
  })
})
