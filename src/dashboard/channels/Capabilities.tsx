import { HOUR_MS } from '../../core/limits/units.ts'
import { capabilitiesOf } from '../../rules/messaging/channel-capabilities.ts'
import type { ChannelType } from '../../core/vocabulary/channels.ts'
import { Icon } from '../parts/Icon.tsx'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import styles from './channels.module.css'
import { channelsWords } from './words.ts'

/** Sentences on what is possible on a channel of this type, and what is not. */
export function Capabilities({ type }: { type: ChannelType }) {
  const t = useWords(channelsWords)
  const format = useFormat()
  const can = capabilitiesOf(type)
  const reply =
    can.reply.kind === 'window'
      ? t('reply_window', { hours: can.reply.windowMs / HOUR_MS })
      : t(can.reply.kind === 'any_time' ? 'reply_any_time' : 'reply_never')
  const largest = Math.max(
    0,
    ...Object.values(can.media?.kinds ?? {}).map(({ maxBytes: mostBytes }) => mostBytes),
  )
  // On a channel without a reply window, no template is needed later.
  const noTemplates = can.reply.kind === 'window' ? 'templates_no' : 'templates_none'
  const rows: [boolean, string][] = [
    [can.reply.kind !== 'never', reply],
    [can.hasTemplates, t(can.hasTemplates ? 'templates_yes' : noTemplates)],
    [can.startsConversations, t(can.startsConversations ? 'starts_yes' : 'starts_no')],
    [
      can.longestText !== null,
      can.longestText === null
        ? t('text_no')
        : t(can.textUnit === 'utf8_bytes' ? 'text_bytes' : 'text_chars', { n: can.longestText }),
    ],
    [
      can.buttons !== null,
      can.buttons === null
        ? t('buttons_no')
        : can.list === null
          ? t('buttons_only', { n: can.buttons.max })
          : t('buttons_yes', { buttons: can.buttons.max, rows: can.list.max }),
    ],
    [
      can.media !== null,
      can.media === null ? t('media_no') : t('media_yes', { size: format.bytes(largest) }),
    ],
    [
      can.receipts.length > 0,
      can.receipts.length === 0
        ? t('receipts_no')
        : t('receipts_yes', {
            kinds: format.list(can.receipts.map((kind) => t(`receipt_${kind}`))),
          }),
    ],
    [can.understandsStop, t(can.understandsStop ? 'stop_yes' : 'stop_no')],
    [can.verifiesIdentity, t(can.verifiesIdentity ? 'identity_yes' : 'identity_no')],
  ]
  return (
    <ul className={styles.can}>
      {rows.map(([isSo, text]) => (
        <li key={text} data-so={isSo}>
          <Icon name={isSo ? 'check' : 'off'} />
          <span>{text}</span>
        </li>
      ))}
    </ul>
  )
}
