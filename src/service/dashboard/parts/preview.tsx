export interface PreviewProps {
  readonly pageId: string;
  readonly title: string;
  /** How wide the window is that the page is laid out for, in CSS pixels. */
  readonly width?: 1280 | 390;
}

/** A page as visitors see it, made small. It is not counted as a visit. */
export function Preview({ pageId, title, width = 1280 }: PreviewProps) {
  return <PreviewFrame path={`/pages/${pageId}/preview`} title={title} width={width} />;
}

export interface PreviewFrameProps {
  /** Address of the dashboard that answers with `answerPreview`. */
  readonly path: string;
  readonly title: string;
  readonly width?: 1280 | 390;
}

/** HTML of the account, made small. The frame has an origin of its own, so that it can't reach the dashboard. */
export function PreviewFrame({ path, title, width = 1280 }: PreviewFrameProps) {
  return (
    <div class={`preview w${width}`}>
      <iframe
        src={path}
        title={`Preview of ${title}`}
        sandbox="allow-scripts"
        loading="lazy"
        tabindex={-1}
        referrerpolicy="no-referrer"
      ></iframe>
    </div>
  );
}
