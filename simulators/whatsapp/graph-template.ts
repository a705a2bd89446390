/** Templates in the form of the Graph API. */

/** A button of a template. */
export type GraphButton = {
  type: string
  text?: string
  url?: string
  phone_number?: string
}

/** A part of a template: its header, body, footer or buttons. */
export type GraphComponent = {
  type: string
  format?: string
  text?: string
  buttons?: GraphButton[]
}

/** A template with its name, language, status and parts. */
export type GraphTemplate = {
  id: string
  name: string
  language: string
  status: string
  category: string
  parameter_format?: string
  components: GraphComponent[]
}
