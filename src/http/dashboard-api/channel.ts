import type { CredentialsForm } from '../../modules/channels/channel-adapter.ts'
import type { FormValues } from '../../modules/channels/channel-access.ts'
import { checkChannel } from '../../modules/channels/check-channel.ts'
import { connectChannel } from '../../modules/channels/connect-channel.ts'
import { deleteChannel } from '../../modules/channels/delete-channel.ts'
import { editChannel } from '../../modules/channels/edit-channel.ts'
import { listChannels, showChannel } from '../../modules/channels/list-channels.ts'
import { requireAdapter } from '../../modules/channels/registry.ts'
import { showLink } from '../../modules/channels/show-link.ts'
import {
  adapterOfChannel,
  disconnectChannel,
  reconnectChannel,
} from '../../modules/channels/switch-channel.ts'
import {
  ConnectChannel,
  EditChannel,
  type ChannelRoutes,
} from '../../contract/dashboard/channel.ts'
import { PageQuery } from '../../contract/dashboard/page.ts'
import { TemplateQuery } from '../../contract/dashboard/template.ts'
import { listTemplatesInUse } from '../../modules/flows/design/list-templates-in-use.ts'
import { refreshTemplatesForMember } from '../../modules/messaging/refresh-templates.ts'
import type { FieldError } from '../../core/service-error.ts'
import { admins } from './access.ts'
import { answer, answerAs, pathIds } from './answer.ts'
import type { DashboardEnv } from './env.ts'
import { body, errorsOfField, parseField, query } from './read-input.ts'
import { routes } from './routes.ts'

const CHANNELS = '/companies/:companyId/channels'
const CHANNEL = `${CHANNELS}/:channelId` as const

export const channelRoutes = routes<ChannelRoutes>()
  .get(CHANNELS, admins(), query(PageQuery), answer(listChannels))
  .post(CHANNELS, admins(), body(ConnectChannel, errorsOfCredentials), async (c) => {
    const { context, actor, companyId } = c.var
    const input = c.req.valid('json')
    const { form } = requireAdapter(context.adapters, input.type)
    const credentials = readForm(form.fields, input.credentials)
    return c.json(await connectChannel(context, actor, { companyId, ...input, credentials }), 201)
  })
  .get(CHANNEL, admins(), answer(showChannel))
  .patch(CHANNEL, admins(), body(EditChannel), async (c) => {
    const { context, actor } = c.var
    const { form } = await adapterOfChannel(context, pathIds(c, 'channelId'))
    const { credentials: given = {}, ...input } = c.req.valid('json')
    const credentials = readForm(form.fields.partial(), given)
    return c.json(
      await editChannel(context, actor, { ...pathIds(c, 'channelId'), ...input, credentials }),
    )
  })
  .delete(CHANNEL, admins(), answerAs(deleteChannel))
  .post(`${CHANNEL}/check`, admins(), answer(checkChannel))
  .post(`${CHANNEL}/connect`, admins(), answerAs(reconnectChannel))
  .post(`${CHANNEL}/disconnect`, admins(), answerAs(disconnectChannel))
  .get(`${CHANNEL}/link`, admins(), answer(showLink))
  .post(`${CHANNEL}/templates/sync`, admins(), answerAs(refreshTemplatesForMember))
  .get(
    '/companies/:companyId/templates',
    admins(),
    query(TemplateQuery),
    answer(listTemplatesInUse),
  )

/** Returns the errors of the credentials by the form of the adapter, if the type has one. */
function errorsOfCredentials(json: unknown, { context }: DashboardEnv['Variables']): FieldError[] {
  const parsed = ConnectChannel.pick({ type: true, credentials: true }).loose().safeParse(json)
  const form = parsed.success ? context.adapters[parsed.data.type]?.form : undefined
  return form ? errorsOfField('credentials', form.fields, parsed.data!.credentials) : []
}

function readForm(form: CredentialsForm['fields'], value: unknown): FormValues {
  const values = Object.entries(parseField('credentials', form, value))
  return Object.fromEntries(values.filter((entry): entry is [string, string] => !!entry[1]))
}
