/** Regular expressions that recheck does not find linear, each with its largest input. */
import type { Pattern } from './find-patterns.ts'

export const EXCUSED: Readonly<Record<Pattern, string>> = {
  [String.raw`/<<\s*(?:\/\s*)?data\b[^>]{0,200}>>/giu`]:
    'a message of 4,000 units, an answer of 256 KB; from each mark 200 characters are tried',
  [String.raw`/\/+$/`]: 'an address of 2,000 units, by a member or the operator',
  [String.raw`/<meta[^>]{0,200}charset\s*=\s*["']?([\w-]+)/i`]: 'the first 4 KB of a page',
  [String.raw`/!?\[([^\]]{0,500})\]\(([^)\s]{0,500})(?:\s[^)]{0,200})?\)/g`]:
    'a line of a document, in a separate thread; from each bracket 1,000 characters are tried',
  [String.raw`/\b(hook_|whsec_)[A-Za-z0-9_-]{20,}/g`]: 'a line of our own log',
  [String.raw`/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g`]: 'a template of 64 KB that is valid JSON',
  [String.raw`/^[^\s@]+@[^\s@]+\.[^\s@]+$/`]: 'a cell of 254 units: a longer one is refused before',
  [String.raw`/^(\d{1,2})(?:st|nd|rd|th)?[ -]+(?:of )?([^\d]+?)\.?[ ,،-]+(\d{4})$/u`]:
    'an answer of 60 units: a longer one is no day',
  [String.raw`/=+$/`]: 'a credential in Base64, of a few KB',
  [String.raw`/^["' ]+|["' ]+$/g`]: 'a name of a field',
  [String.raw`/^\P{L}+|\P{L}+$/gu`]: 'a password, as long as one may be',
  [String.raw`/(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,5}/gu`]:
    'an answer of 256 KB; a run of characters is tried only from its beginning',
  [String.raw`/[.!?؟\s]+$/u`]: 'the title of an action',
  [String.raw`/0+$/`]: 'the digits of one message, 4,096 units',
}

/** The largest input of the patterns of a file, for files that build patterns from lists of words. */
export const EXCUSED_FILES: Readonly<Record<string, string>> = {
  'src/rules/assistant/reply-guard.ts': 'a reply of 20,000 units, without long runs of spaces',
  'src/rules/assistant/reply-links.ts': 'a reply of 20,000 units',
  'src/rules/assistant/reply-markdown.ts': 'a reply of 20,000 units, without long runs of spaces',
  'src/rules/assistant/reply-script.ts': 'a reply of 20,000 units',
  'src/rules/assistant/split-text.ts': 'a reply of 20,000 units',
  'src/rules/assistant/written-calls.ts': 'a reply of 20,000 units',
  'src/rules/assistant/model-markup.ts': 'a reply of 20,000 units',
  'src/rules/assistant/machine-traces.ts': 'a reply of 20,000 units',
  'src/rules/time/times-of-day.ts': 'a reply of 20,000 units',
  'src/rules/calls/names-customer.ts': 'the description of a parameter',
  'simulators/model/answer-by-script.ts': 'a prompt of the demonstration',
  'simulators/model/phrases.ts': 'a message of the demonstration',
}

/** Files that build patterns at run time, each with what bounds the pattern. */
export const EXCUSED_AT_RUN: Readonly<Record<string, string>> = {
  'src/rules/appointments/names-time.ts': 'of a day and a number',
  'src/rules/time/times-of-day.ts': 'of the lists of words, which are constant',
  'src/rules/assistant/statements/arabic-verbs.ts': 'of the lists of words, which are constant',
  'src/infra/redaction/needles.ts': 'of the sent values, with special characters escaped',
  'simulators/model/phrases.ts': 'of the lists of words of the demonstration',
}
