import { Textarea } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { FormDialog } from '../parts/FormDialog.tsx'
import type { LeadView } from '../../contract/dashboard/lead.ts'
import { LEAD_LIMITS } from '../../core/limits/leads.ts'
import { moveLead, type LeadMove } from '../../rules/leads/move-lead.ts'
import type { LeadStatus } from '../../core/vocabulary/leads.ts'
import { useApi } from '../app/resources.ts'
import { useApiForm } from '../parts/form.tsx'
import { toastSuccess } from '../parts/toasts.tsx'
import { useApiMutation } from '../parts/use-api-mutation.ts'
import { useWords } from '../words/use-words.tsx'
import { useLeadName } from './marks.tsx'
import { leadsWords } from './words.ts'

const MOVES: Readonly<Record<LeadStatus, LeadMove>> = {
  open: 'reopen',
  qualified: 'qualify',
  won: 'win',
  lost: 'lose',
}

/** Returns the move that brings a lead to a status, or null if there is none. */
export function moveTo(from: LeadStatus, to: LeadStatus): LeadMove | null {
  const moved = moveLead(from, MOVES[to])
  return from !== to && moved.ok && moved.value === to ? MOVES[to] : null
}

/** Returns a function that moves a lead; a lost lead asks for a reason. The caller renders `dialog` on its page. */
export function useMoveLead(): {
  move(lead: LeadView, move: LeadMove): void
  dialog: ReactNode
} {
  const t = useWords(leadsWords)
  const api = useApi()
  const { run } = useApiMutation()
  const [losing, setLosing] = useState<LeadView | null>(null)
  const move = (lead: LeadView, how: LeadMove) => {
    if (how === 'lose') return setLosing(lead)
    void run(async () => {
      await api.post(`leads/:leadId/${how}`, { leadId: lead.id })
      toastSuccess(t(`moved_${how}`))
    })
  }
  const dialog = losing && <LoseDialog lead={losing} onClose={() => setLosing(null)} />
  return { move, dialog }
}

function LoseDialog({ lead, onClose }: { lead: LeadView; onClose(): void }) {
  const leadName = useLeadName()
  const t = useWords(leadsWords)
  const api = useApi()
  const form = useApiForm<{ reason: string }>({
    values: { reason: '' },
    onSubmit: async ({ reason }) => {
      const json = { reason: reason.trim() === '' ? null : reason }
      await api.post('leads/:leadId/lose', { leadId: lead.id }, json)
    },
    done: t('moved_lose'),
    onDone: onClose,
  })
  return (
    <FormDialog
      form={form}
      title={t('lose_title', { name: leadName(lead) })}
      act={t('lose')}
      keep={t('lose_keep')}
      onClose={onClose}
    >
      <Textarea
        label={t('lose_reason')}
        description={t('lose_why')}
        rows={3}
        maxLength={LEAD_LIMITS.lostReasonChars}
        data-autofocus
        {...form.field('reason')}
      />
    </FormDialog>
  )
}
