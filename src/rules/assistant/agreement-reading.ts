/** Whether what a customer said since a proposal was stated to them agrees to it. Pure. Spec: Calls › Confirmation; reading C15. */
export function readAgreement(
  messages: readonly {
    type: string
    text: string | null
    transcript: string | null
    buttonPayload: string | null
  }[],
  proposal: { id: string; kind: 'cancellation' | 'other' },
): 'agrees' | 'refuses' | 'unclear' {
  const said = messages.map(
    ({ text, transcript, buttonPayload }): 'agrees' | 'refuses' | 'unclear' => {
      if (buttonPayload === `agree:${proposal.id}`) return 'agrees'
      if (buttonPayload === `decline:${proposal.id}`) return 'refuses'
      const words = (text ?? transcript ?? '').trim().toLowerCase()
      if (/^(لا|no|stop)(\b|،|,|\s|$)/u.test(words)) return 'refuses'
      if (text === null || buttonPayload !== null) return 'unclear'
      return /^(yes|ok|نعم)!?$/.test(words) ? 'agrees' : 'unclear'
    },
  )
  if (said.includes('refuses')) return 'refuses'
  return said.length > 0 && said.every((one) => one === 'agrees') ? 'agrees' : 'unclear'
}
