import mammoth from 'mammoth'
import type { Block } from '../chunk-text.ts'
import { readHtml } from './blocks-of-html.ts'
import { checkUnpacked } from './check-unpacked.ts'

/** Returns the blocks of a Word document: headings, paragraphs and tables, without pictures. @throws Unreadable */
export async function blocksOfDocx(bytes: Buffer): Promise<Block[]> {
  checkUnpacked(bytes)
  const { value } = await mammoth.convertToHtml(
    { buffer: bytes },
    { convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })) },
  )
  return readHtml(value).blocks
}
