import type { QueueName } from '../infra/database/after-commit.ts'

/** The worker that a commit notifies, by queue. */
export const WORKER_OF_QUEUE: Record<QueueName, string> = {
  runs: 'run-flows',
  replies: 'answer-customers',
  sends: 'send-messages',
  closes: 'close-conversations',
  deliveries: 'deliver',
  resends: 'resend',
  notices: 'mail-notices',
  contacts: 'work-contacts',
  broadcasts: 'send-broadcasts',
  files: 'fetch-files',
  reminders: 'remind',
  appointments: 'appointment-notices',
  polls: 'poll-channels',
  names: 'profile-lookups',
  knowledge: 'fetch-knowledge',
}
