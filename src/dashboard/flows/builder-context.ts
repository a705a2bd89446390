import { createContext, useContext } from 'react'
import type { ChannelView } from '../../contract/dashboard/channel.ts'
import type { ConnectionView } from '../../contract/dashboard/connection.ts'
import type { ResourceView, ServiceView } from '../../contract/dashboard/booking-setup.ts'
import type { ContactFieldView } from '../../contract/dashboard/contact.ts'
import type { FileView } from '../../contract/dashboard/file.ts'
import type { TemplateView } from '../../contract/dashboard/template.ts'
import type { Draft } from './draft.ts'

/**
 * The data of the company that steps can refer to. Lists are empty while they load, and for members who may not see
 * them.
 */
export type BuilderLists = {
  channels: readonly ChannelView[]
  /** The templates of the flow's channel. */
  templates: readonly TemplateView[]
  connections: readonly ConnectionView[]
  people: readonly { id: string; name: string }[]
  services: readonly ServiceView[]
  resources: readonly ResourceView[]
  fields: readonly ContactFieldView[]
  tags: readonly string[]
  files: readonly FileView[]
}

/** The data that the forms of steps and triggers need besides the step itself. */
export type BuilderData = BuilderLists & {
  flowId: string
  draft: Draft
  /** The channel of the flow; null while none is chosen. */
  channel: ChannelView | null
  mayEdit: boolean
  /** Saves unsaved changes. Returns false if that failed. */
  saved(): Promise<boolean>
  /** Returns the variables that may be set before a step. */
  variablesAt(stepId: string): readonly string[]
  /** Returns the error at a field of the draft, such as `steps.tell.text`. */
  errorAt(field: string): string | undefined
}

/** The React context with the flow that the builder has open; null outside of a builder. */
export const BuilderContext = createContext<BuilderData | null>(null)

/** Returns the flow that the builder has open, with what its steps can refer to. */
export function useBuilderContext(): BuilderData {
  const builder = useContext(BuilderContext)
  if (!builder) throw new Error('The component is outside of a flow builder.')
  return builder
}
