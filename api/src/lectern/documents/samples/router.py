"""`/samples`."""

from fastapi import APIRouter

from lectern.accounts.dependencies import CurrentDatabase, CurrentPrincipal, CurrentSettings, ScopedSession, Writer
from lectern.documents.samples import service
from lectern.documents.samples.schemas import SamplesResponse
from lectern.documents.uploads.router import CurrentOriginals
from lectern.documents.uploads.schemas import UploadResponse

router = APIRouter(prefix="/api/v1/samples", tags=["documents"])


@router.get("")
async def get_samples(_: CurrentPrincipal, session: ScopedSession, settings: CurrentSettings) -> SamplesResponse:
    """Whether this installation has sample documents, and how many of them the library has."""
    return await service.get_samples(session, folder=settings.documents.samples_dir)


@router.post("", status_code=202)
async def load_samples(
    principal: Writer, database: CurrentDatabase, originals: CurrentOriginals, settings: CurrentSettings
) -> UploadResponse:
    """Load the sample documents with their collections and tags; reading them goes on in the background."""
    return await service.load_samples(database, originals, principal, settings=settings)
