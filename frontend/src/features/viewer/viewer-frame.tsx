import { ActionIcon, type ActionIconProps } from "@mantine/core";
import { useFullscreenElement } from "@mantine/hooks";
import {
  IconArrowAutofitHeight,
  IconArrowAutofitWidth,
  IconArrowsMaximize,
  IconArrowsMinimize,
  IconChevronDown,
  IconChevronUp,
  IconDownload,
  IconLayoutSidebar,
  IconMinus,
  IconPlus,
  IconPrinter,
  IconRotateClockwise,
} from "@tabler/icons-react";
import { type ComponentType, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { usePageKeys } from "@/features/shortcuts/page-keys";
import { formatPercent } from "@/lib/format";
import { notifyError } from "@/shared/notify";
import { isRailOpen, type Thumbnails, ThumbnailsRail, toggleRail } from "./thumbnails";
import styles from "./viewer-frame.module.css";

export type Fit = "page-width" | "page-fit";

/** What a viewer of pictures of pages can do. Pages that are text have none of it. */
export interface ZoomControls {
  scale: number;
  /** Null at a size that was chosen by steps. */
  fit: Fit | null;
  onStep: (step: 1 | -1) => void;
  onFit: (fit: Fit) => void;
  onRotate: () => void;
  onPrint: () => Promise<void>;
}

export interface FrameProps {
  /** Address of the file to download. */
  downloadUrl: string;
  /** Further tools at the end of the bar. */
  tools?: ReactNode;
}

interface ViewerFrameProps extends FrameProps {
  page: number;
  /** Null for a file that is locked or damaged. */
  pageCount: number | null;
  onPage: (pageNumber: number) => void;
  zoom: ZoomControls | null;
  /** Small pictures of the pages, for a column beside them. */
  thumbnails?: Thumbnails | null;
  children: ReactNode;
}

/** A toolbar above the pages of a document. */
export function ViewerFrame(props: ViewerFrameProps) {
  const { page, pageCount, onPage, zoom, thumbnails, downloadUrl, tools, children } = props;
  const { t } = useTranslation();
  const hasRail = isRailOpen.use() && Boolean(thumbnails);
  const { ref, toggle, fullscreen } = useFullscreenElement<HTMLDivElement>();
  const go = (target: number) => pageCount && onPage(Math.min(Math.max(target, 1), pageCount));
  const switchFit = () => zoom?.onFit(zoom.fit === "page-width" ? "page-fit" : "page-width");
  const hasFullScreen = document.fullscreenEnabled;
  usePageKeys({
    j: () => go(page + 1),
    k: () => go(page - 1),
    ...(zoom ? { "+": () => zoom.onStep(1), "-": () => zoom.onStep(-1), "0": switchFit, r: zoom.onRotate } : {}),
    ...(thumbnails ? { t: toggleRail } : {}),
    ...(hasFullScreen ? { f: () => void toggle() } : {}),
  });
  return (
    <div ref={ref} className={styles.frame}>
      <fieldset aria-label={t("reader.toolbar")} className={styles.bar}>
        {thumbnails ? (
          <Tool
            name={t("reader.thumbnails")}
            icon={IconLayoutSidebar}
            isPressed={hasRail}
            isWideOnly
            onClick={toggleRail}
          />
        ) : null}
        {pageCount ? <PageTools page={page} pageCount={pageCount} onPage={go} /> : null}
        {zoom ? <ZoomTools zoom={zoom} onSwitchFit={switchFit} /> : null}
        <span className={styles.gap} />
        {hasFullScreen ? (
          <Tool
            name={t(fullscreen ? "reader.exitFullScreen" : "reader.fullScreen")}
            icon={fullscreen ? IconArrowsMinimize : IconArrowsMaximize}
            isWideOnly
            onClick={() => void toggle()}
          />
        ) : null}
        {zoom ? <PrintTool onPrint={zoom.onPrint} /> : null}
        <ActionIcon
          component="a"
          href={downloadUrl}
          color="gray"
          size="md"
          title={t("actions.download")}
          aria-label={t("actions.download")}
        >
          <IconDownload size={18} aria-hidden />
        </ActionIcon>
        {tools}
      </fieldset>
      <div className={styles.body}>
        {hasRail && thumbnails ? (
          <div className={styles.wide}>
            <ThumbnailsRail thumbnails={thumbnails} page={page} onPage={go} />
          </div>
        ) : null}
        <div className={styles.stage}>{children}</div>
      </div>
    </div>
  );
}

function ZoomTools({ zoom, onSwitchFit }: { zoom: ZoomControls; onSwitchFit: () => void }) {
  const { t } = useTranslation();
  const isWide = zoom.fit === "page-width";
  return (
    <>
      <span className={styles.gap} />
      <Tool name={t("reader.zoomOut")} icon={IconMinus} onClick={() => zoom.onStep(-1)} />
      <output className={styles.scale} aria-label={t("reader.zoom")}>
        {formatPercent(zoom.scale)}
      </output>
      <Tool name={t("reader.zoomIn")} icon={IconPlus} onClick={() => zoom.onStep(1)} />
      <Tool
        name={t(isWide ? "reader.fitPage" : "reader.fitWidth")}
        icon={isWide ? IconArrowAutofitHeight : IconArrowAutofitWidth}
        onClick={onSwitchFit}
      />
      <Tool name={t("reader.rotate")} icon={IconRotateClockwise} onClick={zoom.onRotate} />
    </>
  );
}

function PrintTool({ onPrint }: { onPrint: ZoomControls["onPrint"] }) {
  const { t } = useTranslation();
  const [isPrinting, setIsPrinting] = useState(false);
  const print = () => {
    setIsPrinting(true);
    void onPrint()
      .catch(notifyError)
      .finally(() => setIsPrinting(false));
  };
  return <Tool name={t("reader.print")} icon={IconPrinter} isWideOnly loading={isPrinting} onClick={print} />;
}

interface PageToolsProps {
  page: number;
  pageCount: number;
  onPage: (pageNumber: number) => void;
}

function PageTools(props: PageToolsProps) {
  const { page, pageCount, onPage } = props;
  const { t } = useTranslation();
  return (
    <>
      <Tool
        name={t("reader.previousPage")}
        icon={IconChevronUp}
        isDisabled={page <= 1}
        onClick={() => onPage(page - 1)}
      />
      <PageField {...props} />
      <Tool
        name={t("reader.nextPage")}
        icon={IconChevronDown}
        isDisabled={page >= pageCount}
        onClick={() => onPage(page + 1)}
      />
    </>
  );
}

/** The number of the page in sight. Enter goes to the number that was typed. */
function PageField({ page, pageCount, onPage }: PageToolsProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <span className={styles.pages}>
      <input
        className={styles.page}
        inputMode="numeric"
        aria-label={t("reader.page")}
        value={typed ?? page}
        // the attribute `size` makes it half as wide again
        style={{ width: `${Math.max(String(pageCount).length, 2) + 1}ch` }}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={() => setTyped(null)}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          const target = Number.parseInt(typed ?? "", 10);
          if (target > 0) onPage(target);
          setTyped(null);
        }}
      />
      {t("reader.pageCount", { count: pageCount })}
    </span>
  );
}

interface ToolProps extends Pick<ActionIconProps, "loading"> {
  name: string;
  icon: ComponentType<{ size: number; "aria-hidden": boolean }>;
  isDisabled?: boolean;
  isPressed?: boolean;
  /** Left out on narrow screens. */
  isWideOnly?: boolean;
  onClick: () => void;
}

/** A button of the bar. Its title shows in full screen too, unlike a tooltip in another part of the page. */
export function Tool({ name, icon: Icon, isDisabled = false, isPressed, isWideOnly, onClick, ...props }: ToolProps) {
  return (
    <ActionIcon
      color="gray"
      size="md"
      className={isWideOnly ? (styles.wide ?? "") : ""}
      title={name}
      aria-label={name}
      aria-pressed={isPressed}
      disabled={isDisabled}
      onClick={onClick}
      {...props}
    >
      <Icon size={18} aria-hidden />
    </ActionIcon>
  );
}
