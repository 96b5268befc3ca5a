/** A problem of the API (RFC 9457), or `unreachable` if there was no response. */
export interface ProblemDetails {
  status: number;
  code: string;
  title: string;
  detail: string;
  hint?: string | undefined;
  [extra: string]: unknown;
}

export class ApiProblem extends Error {
  constructor(readonly details: ProblemDetails) {
    super(details.detail || details.title || details.code);
    this.name = "ApiProblem";
  }

  get code(): string {
    return this.details.code;
  }

  get status(): number {
    return this.details.status;
  }

  get hint(): string | undefined {
    return this.details.hint;
  }
}

export async function toProblem(response: Response): Promise<ApiProblem> {
  const text = await response.text();
  return new ApiProblem(parse(text, response.status));
}

function parse(text: string, status: number): ProblemDetails {
  try {
    const body = JSON.parse(text) as Partial<ProblemDetails>;
    return {
      ...body,
      status,
      code: body.code ?? `http_${status}`,
      title: body.title ?? "",
      detail: body.detail ?? "",
    };
  } catch {
    // the page of a proxy in between, which is nothing to read
    return { status, code: `http_${status}`, title: "", detail: "" };
  }
}
