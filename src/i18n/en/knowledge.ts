import type { KnowledgeFacts } from '../../core/facts/knowledge.ts'
import { written } from '../counted.ts'
import { inEnglish, quotedInEnglish } from '../isolate.ts'
import type { Catalog } from '../catalog.ts'
import { megabytes } from './files.ts'

export const EN_KNOWLEDGE: Catalog<KnowledgeFacts> = {
  no_such_source: () => 'No source with this ID.',
  source_is_off: () => 'The source is switched off. Switch it on to have it read.',
  sources_full: ({ max }) =>
    `You have ${written(max)} sources, the maximum. Delete one to add another.`,
  chunks_full: ({ max, count }) =>
    `All sources together can have at most ${written(max)} passages. With this one, there would be ${written(count)}. Switch off or delete sources, or shorten this one.`,
  synonyms_full: ({ max }) =>
    `You have ${written(max)} synonyms, the maximum. Delete one to add another.`,
  no_such_synonym: () => 'No such synonym.',
  synonym_not_one_word: () => 'A synonym must be a single word. Its meaning can have several.',
  synonym_of_no_words: () => 'Enter words made of letters or digits.',
  source_file_type: () =>
    'This file type isn’t supported. Use .txt, .md, .csv, .html, .docx or .pdf.',
  source_file_body_type: () =>
    'Send the file itself as the body, with Content-Type: application/octet-stream.',
  source_file_too_large: ({ max }) => `A file can be at most ${megabytes(max)}.`,
  source_file_differs: ({ name }) =>
    `The contents of ${quotedInEnglish(name)} don’t match its file extension. Save it again in that format.`,
  source_has_no_text_to_edit: ({ kind }) =>
    kind === 'file'
      ? 'You can’t edit a file’s text here. Upload the changed file, then delete this one.'
      : 'You can’t edit a page’s text here. It’s read again every day, or immediately with “Read again”.',
  source_empty: () =>
    'No text found. Text in images isn’t read, so use a document whose text can be selected.',
  source_broken: () =>
    'The document couldn’t be read: it’s damaged, or its format doesn’t match its file extension. Save it again and upload it.',
  source_locked: () => 'The document is protected with a password. Save it without one.',
  source_too_many_pages: ({ max }) =>
    `The document has more than ${written(max)} pages. Split it into several.`,
  source_unpacks_too_large: ({ max }) =>
    `Uncompressed, the document is larger than ${megabytes(max)}. Remove large images, or split it.`,
  source_too_slow: ({ seconds }) =>
    `Reading the document took longer than ${written(seconds)} seconds. Split it into several.`,
  source_too_heavy: () => 'Reading the document needs too much memory. Split it into several.',
  page_status: ({ status }) => `The page returned ${inEnglish(String(status))}.`,
  page_too_many_redirects: ({ max }) =>
    `The page redirected more than ${written(max)} times. Use its final URL.`,
  page_redirect_unusable: () =>
    'The page redirected to a URL that can’t be used. Only public https URLs are followed.',
  page_too_large: ({ max }) =>
    `The page is larger than ${megabytes(max)}. Use a smaller page, or add its text.`,
  page_type: ({ mediaType }) =>
    `This URL returns ${inEnglish(mediaType)}. Only web pages and plain text are read; upload other documents as files.`,
  page_forbids_robots: () =>
    'The site’s robots.txt doesn’t allow this page to be read. Allow WaslaBot there, or add the text instead.',
  page_encoding: ({ encoding }) =>
    `The page was compressed with ${inEnglish(encoding)}, which we didn’t ask for.`,
}
