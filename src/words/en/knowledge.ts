import type { KnowledgeFacts } from '../../facts/knowledge.ts'
import { written } from '../counted.ts'
import { inEnglish, quotedInEnglish } from '../isolate.ts'
import type { Sentences } from '../sentences.ts'
import { megabytes } from './files.ts'

export const EN_KNOWLEDGE: Sentences<KnowledgeFacts> = {
  no_such_source: () => 'There is no such source in this company.',
  source_is_off: () => 'The source is switched off. Switch it on: then it is read.',
  sources_full: ({ most }) =>
    `The company has ${written(most)} sources, which is the most. Delete one to add another.`,
  chunks_full: ({ most, count }) =>
    `A company’s sources have at most ${written(most)} pieces in all; with this one they would have ${written(count)}. Switch off or delete sources, or make this one shorter.`,
  synonyms_full: ({ most }) =>
    `The company has ${written(most)} synonyms, which is the most. Delete one to add another.`,
  no_such_synonym: () => 'There is no such synonym in this company.',
  synonym_not_one_word: () => 'A synonym is of one word. What it stands for may be several.',
  synonym_of_no_words: () => 'Write words of letters or digits.',
  source_file_type: () =>
    'Files of these kinds are read: .txt, .md, .csv, .html, .docx and .pdf. Save the document as one of them.',
  source_file_body_type: () =>
    'A file is sent as it is, as the body, with the content type application/octet-stream.',
  source_file_too_large: ({ most }) => `A file may have at most ${megabytes(most)}.`,
  source_file_differs: ({ name }) =>
    `What is in ${quotedInEnglish(name)} is not of the kind that its name says. Save it anew as that kind.`,
  source_has_no_text_to_edit: ({ kind }) =>
    kind === 'file'
      ? 'The text of a file is the file’s. Upload the changed file, then delete this one.'
      : 'The text of a page is the page’s. It is read anew every day, and at once by “Read again”.',
  source_empty: () =>
    'No text was found. Pictures of text are not read: use a document whose words can be selected.',
  source_broken: () =>
    'The document could not be read: it is damaged, or not of the kind that it says. Save it anew and upload it again.',
  source_locked: () => 'The document is locked with a password. Save it without one.',
  source_too_many_pages: ({ most }) =>
    `The document has more than ${written(most)} pages. Divide it into several.`,
  source_unpacks_too_large: ({ most }) =>
    `Unpacked, the document has more than ${megabytes(most)}. Take large pictures out of it, or divide it.`,
  source_too_slow: ({ seconds }) =>
    `The document was not read within ${written(seconds)} seconds. Divide it into several.`,
  source_too_heavy: () =>
    'Reading the document takes more memory than there is for one. Divide it into several.',
  page_status: ({ status }) => `The page answered ${inEnglish(String(status))} instead of a page.`,
  page_too_many_redirects: ({ most }) =>
    `The page led on more than ${written(most)} times. Use the address at which it ends.`,
  page_redirect_unusable: () =>
    'The page led on to an address that is not followed: only public https addresses are.',
  page_too_large: ({ most }) =>
    `The page has more than ${megabytes(most)}. Use a page with less, or add its text.`,
  page_type: ({ mediaType }) =>
    `The address gives ${inEnglish(mediaType)}. Web pages and plain text are read; upload other documents as files.`,
  page_forbids_robots: () =>
    'The site’s robots.txt does not allow this page to be read by programs. Allow WaslaBot there, or add the text.',
  page_encoding: ({ encoding }) =>
    `The page came packed as ${inEnglish(encoding)}, which was not asked for.`,
}
