export interface PreviewProps {
  readonly pageId: string;
  readonly title: string;
  /** How wide the window is that the page is laid out for, in CSS pixels. */
  readonly width?: 1280 | 390;
}

/**
 * A page as visitors see it, made small. The frame has an origin of its own, so that the page can't reach the
 * dashboard; it is not counted as a visit.
 */
export function Preview({ pageId, title, width = 1280 }: PreviewProps) {
  return (
    <div class={`preview w${width}`}>
      <iframe
        src={`/pages/${pageId}/preview`}
        title={`Preview of ${title}`}
        sandbox="allow-scripts"
        loading="lazy"
        tabindex={-1}
        referrerpolicy="no-referrer"
      ></iframe>
    </div>
  );
}
