import { NumberInput, Select, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { LeadView } from '../../contract/dashboard/lead.ts'
import { LEAD_LIMITS } from '../../core/limits/leads.ts'
import { LEAD_TEMPERATURES } from '../../core/vocabulary/leads.ts'
import { useApi } from '../app/resources.ts'
import { peopleQuery } from '../inbox/inbox-queries.ts'
import type { ApiForm } from '../parts/form.tsx'
import { useWords } from '../words/use-words.tsx'
import styles from './leads.module.css'
import { leadsWords } from './words.ts'

/** The values of the form of a lead. An empty score is an empty text. */
export type LeadValues = {
  temperature: string | null
  score: number | string
  summary: string
  ownerId: string | null
}

/** Returns the form's values for a lead; null is a new one. */
export const valuesOf = (lead: LeadView | null): LeadValues => ({
  temperature: lead?.temperature ?? null,
  score: lead?.score ?? '',
  summary: lead?.summary ?? '',
  ownerId: lead?.owner?.id ?? null,
})

/** Converts the form's values to the API's. */
export const readValues = ({ temperature, score, summary, ownerId }: LeadValues) => ({
  temperature: LEAD_TEMPERATURES.find((one) => one === temperature) ?? null,
  score: score === '' ? null : Number(score),
  summary: summary.trim() === '' ? null : summary,
  ownerId,
})

/** Fields for a lead's temperature, score, summary and owner. */
export function LeadFields({ form }: { form: ApiForm<LeadValues> }) {
  const t = useWords(leadsWords)
  const { data: people } = useQuery(peopleQuery(useApi()))
  return (
    <>
      <Textarea
        label={t('summary')}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={LEAD_LIMITS.summaryChars}
        {...form.field('summary')}
      />
      <div className={styles.pair}>
        <Select
          label={t('temperature')}
          placeholder={t('unknown')}
          clearable
          data={LEAD_TEMPERATURES.map((value) => ({ value, label: t(value) }))}
          {...form.pick('temperature')}
        />
        <NumberInput
          label={t('score')}
          placeholder={t('not_scored')}
          min={0}
          max={LEAD_LIMITS.maxScore}
          allowDecimal={false}
          {...form.pick('score')}
        />
      </div>
      <Select
        label={t('owner')}
        placeholder={t('nobody')}
        clearable
        searchable
        data={(people ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        {...form.pick('ownerId')}
      />
    </>
  )
}
