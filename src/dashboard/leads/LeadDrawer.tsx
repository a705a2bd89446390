import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { LeadView } from '../../contract/dashboard/lead.ts'
import type { LeadMove } from '../../rules/leads/move-lead.ts'
import { LEAD_STATUSES } from '../../core/vocabulary/leads.ts'
import { useApi } from '../app/resources.ts'
import { IdChip } from '../parts/Code.tsx'
import { ConversationLink } from '../parts/ConversationLink.tsx'
import { Form, useApiForm } from '../parts/form.tsx'
import { Drawer } from '../parts/Modal.tsx'
import { Details, ReadState } from '../parts/Page.tsx'
import { PersonLink } from '../parts/PersonLink.tsx'
import { Time } from '../parts/Time.tsx'
import { useWords } from '../words/use-words.tsx'
import { LeadFields, readValues, valuesOf, type LeadValues } from './LeadFields.tsx'
import layout from '../parts/layout.module.css'
import { LeadName, LeadPill } from './marks.tsx'
import { moveTo } from './use-move-lead.tsx'
import { leadsWords } from './words.ts'

/** The details of one lead, next to the list it was opened from. */
export function LeadDrawer({
  leadId,
  onMove,
  onClose,
}: {
  leadId: string
  onMove(lead: LeadView, move: LeadMove): void
  onClose(): void
}) {
  const api = useApi()
  const query = useQuery(api.get('leads/:leadId', { leadId }))
  const lead = query.data
  return (
    <Drawer opened position="right" onClose={onClose} title={lead && <LeadName lead={lead} />}>
      <ReadState of={query} />
      {lead && <Opened key={lead.id} lead={lead} onMove={onMove} />}
    </Drawer>
  )
}

function Opened({
  lead,
  onMove,
}: {
  lead: LeadView
  onMove(lead: LeadView, move: LeadMove): void
}) {
  const t = useWords(leadsWords)
  const moves = LEAD_STATUSES.flatMap((to) => moveTo(lead.status, to) ?? [])
  return (
    <div className={layout.stack}>
      <div className={layout.row}>
        <LeadPill status={lead.status} />
        {moves.map((move) => (
          <Button key={move} size="xs" onClick={() => onMove(lead, move)}>
            {t(move)}
          </Button>
        ))}
      </div>
      <Facts lead={lead} />
      <EditForm lead={lead} />
    </div>
  )
}

function Facts({ lead }: { lead: LeadView }) {
  const t = useWords(leadsWords)
  const { contact, conversationId, qualifiedAt, closedAt, lostReason, lostHow } = lead
  const optional: (readonly [React.ReactNode, React.ReactNode])[] = []
  if (contact) optional.push([t('customer'), <PersonLink key="who" contact={contact} />])
  if (conversationId !== null) {
    optional.push([
      t('conversation'),
      <ConversationLink key="conversation" id={conversationId}>
        {t('to_conversation')}
      </ConversationLink>,
    ])
  }
  if (qualifiedAt !== null) {
    optional.push([t('qualified_at'), <Time key="qualified" at={qualifiedAt} />])
  }
  if (closedAt !== null) optional.push([t('closed_at'), <Time key="closed" at={closedAt} />])
  if (lostHow === 'merge') optional.push([t('lost_reason'), t('lost_by_merge')])
  if (lostReason !== null) {
    optional.push([t('lost_reason'), <bdi key="reason">{lostReason}</bdi>])
  }
  return (
    <Details
      items={[
        ...optional,
        [t('source'), t(`source_${lead.source}`)],
        [t('added'), <Time key="added" at={lead.createdAt} />],
        [t('lead_id'), <IdChip key="id" id={lead.id} />],
      ]}
    />
  )
}

function EditForm({ lead }: { lead: LeadView }) {
  const t = useWords(leadsWords)
  const api = useApi()
  const form = useApiForm<LeadValues>({
    values: valuesOf(lead),
    version: lead.updatedAt,
    onSubmit: async (values) => {
      const json = readValues(values)
      await api.patch('leads/:leadId', { leadId: lead.id }, json)
    },
    done: t('saved'),
  })
  return (
    <Form form={form} className={layout.fields}>
      <LeadFields form={form} />
    </Form>
  )
}
