import { REMINDER_LIMITS } from '../../../core/limits/appointments.ts'
import { APPOINTMENT_VARIABLES } from '../../../rules/appointments/appointment-values.ts'
import { useWords } from '../../words/use-words.tsx'
import type { TriggerOf } from '../draft.ts'
import { Minutes } from '../steps/fields.tsx'
import { lengthOf } from '../steps/length.ts'
import { formWords } from '../words-forms.ts'
import type { TriggerFormProps, TriggerKindDesign } from './trigger-kind.ts'

type AppointmentReminder = TriggerOf<'appointment_reminder'>

export const APPOINTMENT_REMINDER: TriggerKindDesign<AppointmentReminder> = {
  icon: 'calendar',
  needsTemplateFirst: true,
  make: () => ({ kind: 'appointment_reminder', minutesBefore: 24 * 60 }),
  sets: () => APPOINTMENT_VARIABLES,
  summary: ({ minutesBefore }, say) => ({
    title: say('before_appointment', { length: lengthOf(minutesBefore, say) }),
  }),
  Form,
}

function Form({ field }: TriggerFormProps<AppointmentReminder>) {
  const t = useWords(formWords)
  return (
    <Minutes
      label={t('before_start')}
      help={t('before_start_help')}
      max={REMINDER_LIMITS.minutesBefore}
      {...field('minutesBefore')}
    />
  )
}
