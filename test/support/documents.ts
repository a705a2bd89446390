/** Documents as programs write them, small and made by hand: DOCX and PDF. */
import { crc32, deflateRawSync, deflateSync } from 'node:zlib'

export type ZipEntry = {
  name: string
  content: Buffer
  /** The unpacked length that the archive claims, where that is untrue. */
  saidBytes?: number
}

/** Returns a ZIP archive of deflated entries. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = []
  const central: Buffer[] = []
  let at = 0
  for (const { name, content, saidBytes = content.length } of entries) {
    const packed = deflateRawSync(content)
    const named = Buffer.from(name)
    const about = Buffer.alloc(26)
    about.writeUInt16LE(20, 0)
    about.writeUInt16LE(8, 4)
    about.writeUInt32LE(crc32(content), 10)
    about.writeUInt32LE(packed.length, 14)
    about.writeUInt32LE(saidBytes, 18)
    about.writeUInt16LE(named.length, 22)
    locals.push(Buffer.from('PK\u0003\u0004', 'latin1'), about, named, packed)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(at, 10)
    central.push(Buffer.from('PK\u0001\u0002\u0014\u0000', 'latin1'), about, place, named)
    at += 30 + named.length + packed.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...locals, directory, Buffer.from('PK\u0005\u0006', 'latin1'), end])
}

/** Returns a Word document. A paragraph that begins with `# ` is a heading. */
export function docxOf(paragraphs: readonly string[], more: readonly ZipEntry[] = []): Buffer {
  const body = paragraphs
    .map((text) => {
      const isHeading = text.startsWith('# ')
      const style = isHeading ? '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>' : ''
      return `<w:p>${style}<w:r><w:t>${text.replace(/^# /, '')}</w:t></w:r></w:p>`
    })
    .join('')
  const document = `<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`
  return zipOf([
    { name: '[Content_Types].xml', content: Buffer.from(CONTENT_TYPES) },
    { name: '_rels/.rels', content: Buffer.from(RELATIONS) },
    { name: 'word/document.xml', content: Buffer.from(document) },
    ...more,
  ])
}

const CONTENT_TYPES =
  '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
const RELATIONS =
  '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>'

export function packedPdfOf(bytes: number): Buffer {
  const content = deflateSync(Buffer.alloc(bytes, ' ')).toString('latin1')
  return pdfOfObjects([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R >>',
    `<< /Filter /FlateDecode /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ])
}

/**
 * Returns a PDF whose pages have these lines. Each line is drawn from left to right, in the given order of
 * characters.
 */
export function pdfOf(pages: readonly (readonly string[])[]): Buffer {
  const signs = [...new Set(pages.flat().join(''))]
  const codeOf = new Map(signs.map((sign, at) => [sign, (at + 1).toString(16).padStart(4, '0')]))
  const unicode = (sign: string) => Buffer.from(sign, 'utf16le').swap16().toString('hex')
  const map = signs.map((sign) => `<${codeOf.get(sign)!}> <${unicode(sign)}>`)
  const mapped = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /U def 1 begincodespacerange <0000> <ffff> endcodespacerange ${map.length} beginbfchar\n${map.join('\n')}\nendbfchar endcmap end end`
  const objects: string[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, at) => `${6 + at * 2} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type0 /BaseFont /Shop /Encoding /Identity-H /DescendantFonts [4 0 R] /ToUnicode 5 0 R >>',
    '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Shop /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 500 /FontDescriptor << /Type /FontDescriptor /FontName /Shop /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >> >>',
    stream(mapped),
  ]
  for (const lines of pages) {
    const drawn = lines.map((line) => {
      const codes = [...line].map((sign) => codeOf.get(sign)!).join('')
      return `<${codes}> Tj 0 -20 Td`
    })
    const content = objects.length + 2
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources << /Font << /F1 3 0 R >> >> /Contents ${content} 0 R >>`,
      stream(`BT /F1 12 Tf 50 750 Td ${drawn.join(' ')} ET`),
    )
  }
  return pdfOfObjects(objects)
}

function pdfOfObjects(objects: readonly string[]): Buffer {
  let text = '%PDF-1.7\n'
  const places = objects.map((object, at) => {
    const place = text.length
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
    return place
  })
  const start = text.length
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}

const stream = (content: string) => `<< /Length ${content.length} >>\nstream\n${content}\nendstream`
