/**
 * Finds labels of speakers in a text of a model: of the assistant at its beginning, and of turns that the model wrote
 * in the customer's name. Time is linear in the length of the text.
 *
 * Spec: Assistant › Markup of models.
 */

const LABEL =
  /^\s{0,9}(?:#{2,4}[ \t]{0,3})?\*{0,3}(?:assistant|response|ai|bot|chatbot|المساعد)\*{0,3}[ \t]{0,3}:\*{0,3}/i
/** Matches the name of the role, which is left where a server drops the tags around it. */
const ROLE_LINE = /^\s{0,9}(?:assistant|model|bot|chatbot)[ \t]{0,3}\n/
const HEADING =
  /^#{2,4}[ \t]{0,3}(?:(instruction|input|user|human|customer|response|assistant)[ \t]{0,3}:?[ \t]{0,3}$|(user|human)[ \t]{0,3}:)/gim
/** Matches the label of a prompt, which counts only before a label of the assistant. */
const PROMPT = /^\s{0,9}\*{0,3}(?:system|developer|instructions?)\*{0,3}[ \t]{0,3}:/i
const OTHER_ROLE_LINE = /^\s{0,9}(?:system|user|human)[ \t]{0,3}\n/
const OWN_ROLE_LINE = /^[ \t]{0,3}(?:assistant|model)[ \t]{0,3}\n/m
const OWN_LABEL = /^[ \t]{0,3}\*{0,3}assistant\*{0,3}[ \t]{0,3}:\*{0,3}/im
const SPEAKER =
  /^[ \t]{0,3}\*{0,3}(user|human|customer|client|العميل|الزبون|المستخدم)\*{0,3}[ \t]{0,3}:/gimu
const ANSWERED = /^[ \t]{0,3}\*{0,3}(?:assistant|agent|bot|ai|المساعد|الموظف)\*{0,3}[ \t]{0,3}:/gimu
const SIGN_IN =
  /^[ \t]{0,3}\*{0,3}(?:pass|password|pin|pwd|كلمة المرور|كلمة السر|الباسورد|الرقم السري)\*{0,3}[ \t]{0,3}:/gimu

/**
 * Returns the assistant's part of a model's text, without a label such as "Assistant:" at its beginning. A prompt
 * before that label is removed too, and the text is cut before a turn that the model invented for the customer.
 * Headings such as "### Response:" are removed anywhere; a label on a later line is left.
 */
export function withoutSpeakerLabels(given: string): string {
  const labelled = labelAfterPrompt(given)
  const text = labelled ? given.slice(labelled.index + labelled[0].length) : given
  const cut = [headingOfAnother(text), lineOfAnother(text)].filter((at) => at >= 0)
  const own = cut.length > 0 ? text.slice(0, Math.min(...cut)) : text
  return own.replace(ROLE_LINE, '').replace(LABEL, '').replace(HEADING, '')
}

/** Returns the label of the assistant behind the label of a prompt, or of the customer's turn. */
function labelAfterPrompt(text: string): RegExpExecArray | null {
  if (PROMPT.test(text)) return OWN_LABEL.exec(text)
  return OTHER_ROLE_LINE.test(text) ? OWN_ROLE_LINE.exec(text) : null
}

function headingOfAnother(text: string): number {
  for (const { index, 1: role = '', 2: speaker } of text.matchAll(HEADING)) {
    if (speaker !== undefined || !/^(?:response|assistant)$/i.test(role)) return index
  }
  return -1
}

/** The limit of a line that is examined, in UTF-16 units. */
const LINE_UNITS = 400

/**
 * Returns the index of the first line that is labelled as another speaker's. "User: guest" above a password, and
 * "Customer: Sara" in an order's summary, are no such labels.
 */
function lineOfAnother(text: string): number {
  const answeredAt = lastPlaceOf(ANSWERED, text)
  const signInAt = lastPlaceOf(SIGN_IN, text)
  for (const { index, 1: role = '' } of text.matchAll(SPEAKER)) {
    const line = text.slice(index, index + LINE_UNITS).split('\n', 1)[0]!
    const asks = /[?؟]\s{0,3}$/.test(line)
    const isAlone = (/^(?:human|user)$/i.test(role) || asks) && signInAt < index
    if (isAlone || answeredAt > index) return index
  }
  return -1
}

/** Returns the index of a pattern's last match; -1 when there is none. */
function lastPlaceOf(pattern: RegExp, text: string): number {
  let last = -1
  for (const { index } of text.matchAll(pattern)) last = index
  return last
}
