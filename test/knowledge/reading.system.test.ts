import { describe, expect, test } from 'vitest'
import { readInThread } from '../../src/modules/knowledge/read/read-in-thread.ts'
import type { KnowledgeFileKind } from '../../src/core/vocabulary/knowledge.ts'
import { docxOf, packedPdfOf, pdfOf } from '../support/documents.ts'

const MEGABYTE = 1_048_576
/** The size of the last record of a ZIP archive. */
const END_BYTES = 22

async function read(
  kind: KnowledgeFileKind,
  content: Buffer | string,
  bounds: { readMs?: number; memoryMb?: number } = {},
) {
  const bytes = Buffer.from(content)
  return readInThread({ kind, bytes, charset: null, title: 'Shop' }, bounds)
}

async function chunksOf(kind: KnowledgeFileKind, content: Buffer | string) {
  const result = await read(kind, content)
  if (!result.ok) throw new Error(result.why.code)
  return result.prepared.chunks.map(({ heading, body }) => ({ heading, body }))
}

async function refusalOf(...asked: Parameters<typeof read>) {
  const result = await read(...asked)
  return result.ok ? 'read' : result.why.code
}

describe('Assistant › Knowledge: documents as they are read', () => {
  test('a text is read by paragraphs, and a marked question stays with its answer', async () => {
    const text = 'نوصل خلال يومين.\n\nس: هل التوصيل مجاني؟\nج: نعم فوق ٣٠٠ ريال.\n\nWe open at nine.'
    const bodies = (await chunksOf('txt', text)).map(({ body }) => body)
    expect(bodies).toContain('س: هل التوصيل مجاني؟\nج: نعم فوق ٣٠٠ ريال.')
    expect(bodies).toHaveLength(3)
  })

  test('a text that Windows wrote in Arabic is read by its letters', async () => {
    // «سعر» and «توصيل» in Windows-1256.
    const bytes = Buffer.from([0xd3, 0xda, 0xd1, 0x20, 0xca, 0xe6, 0xd5, 0xed, 0xe1])
    expect(await chunksOf('txt', bytes)).toEqual([{ heading: null, body: 'سعر توصيل' }])
  })

  test('Markdown keeps its headings, one under the other', async () => {
    const text =
      '# Delivery\nTwo **days**.\n## Gulf\n- Five days, see [prices](https://shop.example/p)'
    expect(await chunksOf('md', text)).toEqual([
      { heading: 'Delivery', body: 'Two days.' },
      { heading: 'Delivery › Gulf', body: 'Five days, see prices (https://shop.example/p)' },
    ])
  })

  test('a table is read by rows, each value after the name of its column', async () => {
    const text = '\ufeffالمنتج;السعر\n"عباية; ندى";٣٥٠\nطرحة;٤٠\n'
    expect((await chunksOf('csv', text)).map(({ body }) => body)).toEqual([
      'المنتج: عباية; ندى\nالسعر: ٣٥٠',
      'المنتج: طرحة\nالسعر: ٤٠',
    ])
  })

  test('A table whose first line names its delimiter is read without that line, also with quoted commas', async () => {
    const said = 'sep=;\n"Product, as on the shelf, today";Price\nCup;10,5\n'
    const rows = [{ heading: null, body: 'Product, as on the shelf, today: Cup\nPrice: 10,5' }]
    expect(await chunksOf('csv', said)).toEqual(rows)
    expect(await chunksOf('csv', said.replace('sep=;\n', ''))).toEqual(rows)
  })

  test('A table with a quote that is not closed is refused, so that no row has the values of another', async () => {
    expect(await refusalOf('csv', 'product,price\nCup,10\n"Plate,20\nBowl,30\n')).toBe(
      'source_broken',
    )
  })

  test('a page is read without scripts, menus and what is not shown', async () => {
    const html =
      '<title>Shop</title><nav>Home Cart</nav><h1>Hours</h1><script>steal()</script><p>Nine to <b>five</b>.<style>p{}</style><h2>Prices</h2><table><tr><td>Abaya<td>350</table>'
    expect(await chunksOf('html', html)).toEqual([
      { heading: 'Hours', body: 'Nine to five.' },
      { heading: 'Hours › Prices', body: 'Abaya 350' },
    ])
  })

  test('a Word document keeps its headings', async () => {
    const bytes = docxOf(['# Returns', 'Within seven days.', '# الدفع', 'نقبل مدى.'])
    expect(await chunksOf('docx', bytes)).toEqual([
      { heading: 'Returns', body: 'Within seven days.' },
      { heading: 'الدفع', body: 'نقبل مدى.' },
    ])
  })

  test('an Arabic PDF in presentation forms is read as ordinary letters', async () => {
    const drawn = [...'ﺗﻮﺻﻴﻞ ﻣﺠﺎﻧﻲ'].toReversed().join('')
    const chunks = await chunksOf('pdf', pdfOf([[drawn, 'Delivery is free.']]))
    expect(chunks).toEqual([{ heading: null, body: 'توصيل مجاني Delivery is free.' }])
  })

  test('long paragraphs are cut after sentences, into 500 to 900 characters', async () => {
    const sentence = 'The shop delivers within two days in the city and in five elsewhere. '
    const chunks = await chunksOf('txt', sentence.repeat(60))
    for (const { body } of chunks.slice(0, -1)) {
      expect(body.length).toBeGreaterThanOrEqual(500)
      expect(body.length).toBeLessThanOrEqual(900)
      expect(body).toMatch(/\.$/)
    }
    expect(chunks.map(({ body }) => body).join(' ')).toBe(sentence.repeat(60).trim())
  })
})

describe('Assistant › Knowledge: hostile documents', () => {
  test('a document that unpacks to more than 100 MB is refused, whatever size it claims', async () => {
    const bomb = { name: 'word/media/x.xml', content: Buffer.alloc(101 * MEGABYTE), saidBytes: 10 }
    expect(await refusalOf('docx', docxOf(['x'], [bomb]))).toBe('source_unpacks_too_large')
  })

  test.each([
    ['it has no entries', 10, 0],
    ['it begins elsewhere', 4, 0xffff],
  ])('a document is refused when its directory says that %s', async (_how, field, value) => {
    const bomb = { name: 'word/media/x.xml', content: Buffer.alloc(101 * MEGABYTE) }
    const bytes = docxOf(['x'], [bomb])
    bytes.writeUInt16LE(value, bytes.length - END_BYTES + field)
    expect(await refusalOf('docx', bytes)).toBe('source_broken')
  })

  test('a smaller document that takes too much memory is abandoned, and the process lives', async () => {
    const bytes = docxOf(['word '.repeat(4_000_000)])
    expect(await refusalOf('docx', bytes, { memoryMb: 64 })).toBe('source_too_heavy')
    expect(await chunksOf('txt', 'still here')).toHaveLength(1)
  })

  test('the unpacked data of a PDF counts as its memory, although it is outside the heap', async () => {
    const bytes = packedPdfOf(300 * MEGABYTE)
    expect(await refusalOf('pdf', bytes, { memoryMb: 64 })).toBe('source_too_heavy')
  })

  test('a page of endless elements is abandoned in time', async () => {
    const html = '<div>'.repeat(1_500_000)
    expect(await refusalOf('html', html, { readMs: 1_500 })).toBe('source_too_slow')
  })

  test('a PDF of 201 pages is refused, one of 200 is read', async () => {
    const pages = (count: number) => pdfOf(Array.from({ length: count }, () => ['x']))
    expect(await refusalOf('pdf', pages(201))).toBe('source_too_many_pages')
    expect(await refusalOf('pdf', pages(200))).toBe('read')
  })

  test.each([
    ['a PDF that is none', 'pdf', `%PDF-1.7 ${'junk'.repeat(10_000)}`, 'source_broken'],
    [
      'a Word document that is none',
      'docx',
      `PK\u0003\u0004${'junk'.repeat(100)}`,
      'source_broken',
    ],
    ['a table of quotes', 'csv', '"'.repeat(100_001), 'source_broken'],
    ['nothing but white space', 'txt', '\n \n\t', 'source_empty'],
    ['a page of scripts alone', 'html', '<script>x</script>', 'source_empty'],
  ] as const)('%s is reported', async (_name, kind, content, code) => {
    expect(await refusalOf(kind, content)).toBe(code)
  })

  test('characters that PostgreSQL cannot hold are not in the text that is read', async () => {
    const [chunk] = await chunksOf('txt', Buffer.from('a\u0000b \ud800 c', 'utf8'))
    expect(chunk!.body).not.toContain('\0')
  })
})
