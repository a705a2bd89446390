import type { BroadcastView } from '../../contract/dashboard/broadcast.ts'
import { IdChip, Ltr } from '../parts/Code.tsx'
import { Details, Panel } from '../parts/Page.tsx'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import { broadcastsWords } from './words.ts'

/** The panel with a broadcast's template, pace and ID. */
export function Facts({ broadcast }: { broadcast: BroadcastView }) {
  const t = useWords(broadcastsWords)
  const format = useFormat()
  const { id, template, perSecond } = broadcast
  return (
    <Panel title={t('details')}>
      <Details
        items={[
          [t('template'), <Ltr key="template">{template.name}</Ltr>],
          ...template.body.map(
            ({ name, text }) =>
              [
                <bdi key="name" dir="ltr">
                  {`{{${name}}}`}
                </bdi>,
                <bdi key="text">{text}</bdi>,
              ] as const,
          ),
          [t('pace'), format.number(perSecond)],
          [t('broadcast_id'), <IdChip key="id" id={id} />],
        ]}
      />
    </Panel>
  )
}
