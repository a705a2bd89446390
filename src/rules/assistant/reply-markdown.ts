/**
 * Converts Markdown to a channel's markup: WhatsApp has marks, other channels get plain text. Links have been removed
 * or set apart before. At most 1,000 characters are between two marks, since the time would otherwise be quadratic.
 */

const BOLD_ITALIC = /\*\*\*(?=[^\s*])([^*\n]{0,1000}?[^\s*])\*\*\*/gu
/** Matches bold text; stars between digits are a multiplication. */
const BOLD = /(?<![\p{N}*])\*\*(?=[^\s*])([^\n]{0,1000}?[^\s*])\*\*(?![\p{N}*])/gu
const BOLD_LINES = /(?<![\p{L}\p{N}_])__(?=[^\s_])([^\n]{0,1000}?[^\s_])__(?![\p{L}\p{N}_])/gu
const STRUCK = /~~(?=\S)([^\n]{0,1000}?\S)~~/gu
const ITALIC = /(?<![\p{L}\p{N}*])\*(?=[^\s*])([^*\n]{0,1000}?[^\s*])\*(?![\p{L}\p{N}*])/gu
const ITALIC_LINES = /(?<![\p{L}\p{N}_])_(?=[^\s_])([^_\n]{0,1000}?[^\s_])_(?![\p{L}\p{N}_])/gu
const HEADING = /^[ \t]{0,3}#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*$/gmu
const RULE = /^[ \t]{0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$\n?/gmu
const BULLET = /^([ \t]*)[*+][ \t]+(?=\S)/gmu
const QUOTE = /^[ \t]{0,3}>[ \t]?/gmu
const FENCE = /^[ \t]*(?:```|~~~)[^\n`]*$\n?/gmu
const CODE = /`{1,3}([^`\n]+)`{1,3}/gu
const TABLE_RULE = /^[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)+\|?[ \t]*$\n?/gmu
const TABLE_ROW = /^[ \t]*\|(.+)\|[ \t]*$/gmu
const ESCAPED = /\\([\\`*_{}[\]()#+.!~|>-])/gu

/** Converts a model's Markdown to what the channel shows: WhatsApp's bold, plain text elsewhere. */
export function toChannelMarkup(text: string, channelType: string): string {
  const isWhatsApp = channelType === 'whatsapp' || channelType === 'whatsapp_qr'
  const bold = isWhatsApp ? '*$1*' : '$1'
  const plain = text
    .replace(FENCE, '')
    .replace(CODE, '$1')
    .replace(TABLE_RULE, '')
    .replace(TABLE_ROW, (_, cells: string) =>
      cells
        .split('|')
        .map((cell) => cell.trim())
        .join(' | '),
    )
    .replace(RULE, '')
    .replace(QUOTE, '')
    .replace(BULLET, '$1- ')
    .replace(HEADING, (_, words: string) => bold.replace('$1', () => words.replace(/\*\*|__/g, '')))
    .replace(BOLD_ITALIC, bold)
    .replace(BOLD, bold)
    .replace(BOLD_LINES, bold)
    .replace(STRUCK, isWhatsApp ? '~$1~' : '$1')
  const shown = isWhatsApp ? plain : plain.replace(ITALIC, '$1').replace(ITALIC_LINES, '$1')
  return shown.replace(ESCAPED, '$1')
}
