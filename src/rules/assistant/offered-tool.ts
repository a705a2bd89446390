/** A tool that is offered to a model; `parameters` is a JSON schema. */
export type OfferedTool = {
  name: string
  description: string
  parameters: {
    type: 'object'
    properties: Record<string, object>
    required: string[]
    additionalProperties: false
  }
}
