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
import { ConnectChannel, EditChannel } from '../../contract/dashboard/channel.ts'
import { PageQuery } from '../../contract/dashboard/page.ts'
import type { ChannelRoutes } from '../../contract/dashboard/routes/channel.ts'
import { TemplateQuery } from '../../contract/dashboard/template.ts'
import { listTemplatesInUse } from '../../modules/flows/design/list-templates-in-use.ts'
import { readTemplatesNow } from '../../modules/messaging/read-templates.ts'
import type { FieldError } from '../../core/service-error.ts'
import { inCompany } from './access.ts'
import type { DashboardEnv } from './env.ts'
import { body, errorsOfField, parseField, query, readId } from './read-input.ts'
import { routes } from './routes.ts'

const CHANNELS = '/companies/:companyId/channels'
const CHANNEL = `${CHANNELS}/:channelId` as const

export const channelRoutes = routes<ChannelRoutes>()
  .get(CHANNELS, inCompany('owner', 'admin'), query(PageQuery), async (c) => {
    const { context, companyId } = c.var
    return c.json(await listChannels(context, { companyId, ...c.req.valid('query') }))
  })
  .post(
    CHANNELS,
    inCompany('owner', 'admin'),

    body(ConnectChannel, errorsOfCredentials),
    async (c) => {
      const { context, actor, companyId } = c.var
      const input = c.req.valid('json')
      const { form } = requireAdapter(context.adapters, input.type)
      const credentials = readForm(form.fields, input.credentials)
      return c.json(await connectChannel(context, actor, { companyId, ...input, credentials }), 201)
    },
  )
  .get(CHANNEL, inCompany('owner', 'admin'), async (c) =>
    c.json(await showChannel(c.var.context, owned(c))),
  )
  .patch(CHANNEL, inCompany('owner', 'admin'), body(EditChannel), async (c) => {
    const { context, actor } = c.var
    const { form } = await adapterOfChannel(context, owned(c))
    const { credentials: given = {}, ...input } = c.req.valid('json')
    const credentials = readForm(form.fields.partial(), given)
    return c.json(await editChannel(context, actor, { ...owned(c), ...input, credentials }))
  })
  .delete(CHANNEL, inCompany('owner', 'admin'), async (c) => {
    await deleteChannel(c.var.context, c.var.actor, owned(c))
    return c.body(null, 204)
  })
  .post(`${CHANNEL}/check`, inCompany('owner', 'admin'), async (c) =>
    c.json(await checkChannel(c.var.context, owned(c))),
  )
  .post(`${CHANNEL}/connect`, inCompany('owner', 'admin'), async (c) =>
    c.json(await reconnectChannel(c.var.context, c.var.actor, owned(c))),
  )
  .post(`${CHANNEL}/disconnect`, inCompany('owner', 'admin'), async (c) =>
    c.json(await disconnectChannel(c.var.context, c.var.actor, owned(c))),
  )
  .get(`${CHANNEL}/link`, inCompany('owner', 'admin'), async (c) =>
    c.json(await showLink(c.var.context, owned(c))),
  )
  .post(`${CHANNEL}/templates/sync`, inCompany('owner', 'admin'), async (c) =>
    c.json(await readTemplatesNow(c.var.context, c.var.actor, owned(c))),
  )
  .get(
    '/companies/:companyId/templates',
    inCompany('owner', 'admin'),
    query(TemplateQuery),
    async (c) => {
      const { context, companyId } = c.var
      return c.json(await listTemplatesInUse(context, { companyId, ...c.req.valid('query') }))
    },
  )

function owned(c: {
  var: { companyId: string }
  req: { param(name: 'channelId'): string | undefined }
}) {
  return { companyId: c.var.companyId, channelId: readId(c.req.param('channelId')) }
}

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
