/** Templates in the form of the Graph API. */

export type GraphButton = {
  type: string
  text?: string
  url?: string
  phone_number?: string
}

export type GraphComponent = {
  type: string
  format?: string
  text?: string
  buttons?: GraphButton[]
}

export type GraphTemplate = {
  id: string
  name: string
  language: string
  status: string
  category: string
  parameter_format?: string
  components: GraphComponent[]
}
